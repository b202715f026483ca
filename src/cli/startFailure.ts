import { UnusableDataError } from '../embedded/store/unusableData.ts'
import { CliError, exitCodes } from './exitCodes.ts'

interface StartOptions {
  readonly port: number
  readonly serverPort?: number
  readonly metricsPort?: number
  readonly data: string
}

/** Why a cluster could not start, as a sentence for whoever started it; our own bugs stay what they are. */
export function startFailure(error: unknown, { port, serverPort, metricsPort, data }: StartOptions): unknown {
  const because = (message: string) => new CliError(message, exitCodes.unavailable, { cause: error })
  if (error instanceof UnusableDataError) return because(error.message)
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error
  const asked = 'port' in error && error.port !== port ? error.port : undefined
  const [taken, flag] =
    asked !== undefined && asked === serverPort
      ? [serverPort, '--server-port']
      : asked !== undefined && asked === metricsPort
        ? [metricsPort, '--metrics-port']
        : [port, '--port']
  if (error.code === 'EADDRINUSE') {
    return because(`port ${taken} is in use; stop what listens there, or give ${flag} 0 for a free one`)
  }
  if (error.syscall === 'listen')
    return because(`cannot listen on port ${taken} (${String(error.code)}); give another ${flag}`)
  return dataCodes.has(String(error.code))
    ? because(`cannot keep data in ${data}: ${error.message}; give another directory with --data`)
    : error
}

/** What the file system says when a directory cannot be made or written. */
const dataCodes: ReadonlySet<string> = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EISDIR',
  'EIO',
  'ENAMETOOLONG',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
])
