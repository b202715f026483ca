import { open } from 'node:fs/promises'
import { Option } from 'commander'
import { UnusableConfig } from '../daemon/unusableConfig.ts'
import { HostError } from '../host/host.ts'
import { messageOf } from '../kube/errors.ts'
import { asCliError } from './connect.ts'
import { CliError } from './exitCodes.ts'

export const terminationLogOption = (): Option =>
  new Option(
    '--termination-log <file>',
    'where a container leaves the error that ended it, if the file is there; empty for nowhere',
  ).default('/dev/termination-log')

/**
 * Does the work of a process that runs in a container. What it fails with is left where the kubelet looks for it
 * (`kubectl describe pod`), and thrown on.
 */
export async function leavingLastWords<T>(
  file: string,
  warn: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failed = file === '' ? undefined : await writeLastWords(file, lastWords(asCliError(error)))
    if (failed !== undefined) warn(`the error could not be left in ${file} (${failed}); it follows`)
    throw error
  }
}

/** The kubelet takes this much of the file. */
const mostBytes = 4096

/** As `mco` prints it, without the stack of a bug: that is in the log. */
function lastWords(error: unknown): string {
  const isForPeople = error instanceof CliError || error instanceof HostError || error instanceof UnusableConfig
  const text = isForPeople ? error.message : `internal error: ${messageOf(error)}`
  return Buffer.from(text)
    .subarray(0, mostBytes)
    .toString()
    .replace(/\uFFFD$/, '')
}

/** Undefined when it is written, or there is no such file: then this is no container. Otherwise why not. */
async function writeLastWords(file: string, text: string): Promise<string | undefined> {
  try {
    // Never made: outside of a container nobody would look at it.
    const handle = await open(file, 'r+')
    try {
      await handle.truncate(0)
      await handle.writeFile(`${text}\n`)
    } finally {
      await handle.close()
    }
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : code
  }
}
