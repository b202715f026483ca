import { type Exec, runOrFail } from './exec.ts'
import { HostError, type OsImage } from './host.ts'

const longTimeoutMs = 1_800_000

/** The OS image of a bootc system. */
export function bootcImage(exec: Exec): OsImage {
  const status = async (): Promise<BootcStatus> =>
    parseBootcStatus(await runOrFail(exec, { program: 'bootc', args: ['status', '--json'] }))
  return {
    booted: async () => (await status()).booted,
    pending: async () => pendingImage(await status()),
    async setPending(image) {
      const found = await status()
      if (pendingImage(found) === image) return
      // `bootc switch` to the booted image changes nothing and would leave in line what waits for the next boot.
      if (found.booted !== image)
        await runOrFail(exec, { program: 'bootc', args: ['switch', image], timeoutMs: longTimeoutMs })
      // A second rollback takes the first one back.
      else if (found.rollbackQueued) await runOrFail(exec, { program: 'bootc', args: ['rollback'] })
      else await runOrFail(exec, { program: 'ostree', args: ['admin', 'undeploy', '0'] })
    },
  }
}

/** Images are named as `bootc switch` takes them; empty for a deployment that is not an image (rpm-ostree changed it). */
export interface BootcStatus {
  readonly booted: string
  /** Undefined when nothing is staged. */
  readonly staged: string | undefined
  readonly rollback: string | undefined
  /** The next boot goes to `rollback`. */
  readonly rollbackQueued: boolean
}

const pendingImage = ({ booted, staged, rollback, rollbackQueued }: BootcStatus): string =>
  (rollbackQueued ? rollback : staged) ?? booted

export function parseBootcStatus(text: string): BootcStatus {
  const status = at(parseJson(text), 'status')
  const booted = imageIn(at(status, 'booted'))
  if (booted === undefined) throw new HostError('EBOOTC', 'bootc', 'bootc status --json names no booted deployment')
  return {
    booted,
    staged: imageIn(at(status, 'staged')),
    rollback: imageIn(at(status, 'rollback')),
    rollbackQueued: at(status, 'rollbackQueued') === true,
  }
}

/** Undefined without such a deployment. An image from elsewhere than a registry is never what a config asks for. */
function imageIn(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const reference = at(at(entry, 'image'), 'image')
  const [image, transport = 'registry'] = [at(reference, 'image'), at(reference, 'transport')]
  if (typeof image !== 'string') return ''
  return transport === 'registry' ? image : `${String(transport)}:${image}`
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
