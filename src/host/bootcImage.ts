import { type Exec, runOrFail } from './exec.ts'
import { HostError, type OsImage } from './host.ts'

const longTimeoutMs = 1_800_000

/** The OS image of a bootc system. */
export function bootcImage(exec: Exec): OsImage {
  const status = async (): Promise<BootcStatus> =>
    parseBootcStatus(await runOrFail(exec, { program: 'bootc', args: ['status', '--json'] }))
  return {
    booted: async () => (await status()).booted,
    pending: async () => {
      const { staged, booted } = await status()
      return staged ?? booted
    },
    async setPending(image) {
      const { staged, booted } = await status()
      if ((staged ?? booted) === image) return
      // `bootc switch` to the booted image changes nothing and would leave the staged one in line.
      if (booted === image) await runOrFail(exec, { program: 'ostree', args: ['admin', 'undeploy', '0'] })
      else await runOrFail(exec, { program: 'bootc', args: ['switch', image], timeoutMs: longTimeoutMs })
    },
  }
}

export interface BootcStatus {
  readonly booted: string
  readonly staged: string | undefined
}

export function parseBootcStatus(text: string): BootcStatus {
  const status = at(parseJson(text), 'status')
  const booted = imageIn(at(status, 'booted'))
  if (booted === undefined) throw new HostError('EBOOTC', 'bootc', 'bootc status --json names no booted image')
  return { booted, staged: imageIn(at(status, 'staged')) }
}

function imageIn(entry: unknown): string | undefined {
  const image = at(at(at(entry, 'image'), 'image'), 'image')
  return typeof image === 'string' ? image : undefined
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HostError('EBOOTC', 'bootc', 'bootc status --json is not JSON', { cause: error })
  }
}
