import { setTimeout as sleep } from 'node:timers/promises'
import { commandFailed, type Exec, type HostCommand, runOrFail } from './exec.ts'
import {
  HostError,
  type HostFiles,
  type ServiceActionOptions,
  type ServiceManager,
  type UnitFileState,
} from './host.ts'
import { readPresetRule } from './presetFiles.ts'

export interface SystemdOptions {
  /** How long a service may take to restart or reload before that counts as failed. */
  readonly serviceTimeoutMs?: number
  /** How long after its start a service is looked at again: one that ends at once has failed to start. */
  readonly settleMs?: number
}

/** The services of a machine that runs systemd, through `systemctl`. */
export function systemdServices(
  exec: Exec,
  files: HostFiles,
  { serviceTimeoutMs = 180_000, settleMs = 300 }: SystemdOptions = {},
): ServiceManager {
  const systemctl = (...args: readonly string[]): HostCommand => ({ program: 'systemctl', args })
  const daemonReload = async (): Promise<void> => {
    await runOrFail(exec, systemctl('daemon-reload'))
  }
  const look = async (unit: string): Promise<UnitView> =>
    parseUnitView((await exec.run(systemctl('show', `--property=${viewProperties}`, '--', unit))).stdout)
  const job = (verb: 'reload' | 'restart' | 'stop', unit: string): Promise<void> =>
    runUnitJob(exec, { ...systemctl(verb, '--', unit), timeoutMs: serviceTimeoutMs }, unit)
  const forgetFailures = async (unit: string): Promise<void> => {
    await runOrFail(exec, systemctl('reset-failed', '--', unit))
  }
  /** systemd cannot stop what it has not loaded: only what is left of the unit is ended. */
  const end = async (unit: string, { isActive, hasFailed }: UnitView): Promise<void> => {
    if (isActive) await job('stop', unit)
    else if (hasFailed) await forgetFailures(unit)
  }
  const act = async (
    verb: 'reload' | 'restart',
    unit: string,
    { mayBeGone = false }: ServiceActionOptions = {},
  ): Promise<void> => {
    const before = await look(unit)
    // A changed unit file or drop-in is not in effect before systemd has read it.
    if (before.isStale) await daemonReload()
    const now = before.isStale ? await look(unit) : before
    // What runs without its unit can only be ended, whoever took that away.
    if (!now.canStart && (mayBeGone || now.isActive)) return end(unit, now)
    // It reads its files when it starts.
    if (verb === 'reload' && mayBeGone && !now.isActive && !now.hasFailed) return
    // Its failed attempts count: with the cause gone, systemd would still refuse to start it "too often".
    if (verb === 'restart' && now.hasFailed) await forgetFailures(unit)
    await job(verb, unit)
    if (verb === 'restart') await expectToStay(unit)
  }
  /** To systemd a service of the simple type has started before its program is even found. */
  const expectToStay = async (unit: string): Promise<void> => {
    await sleep(settleMs)
    const { isDown } = await look(unit)
    if (!isDown) return
    const said = await lastLines(exec, unit)
    throw new HostError('EENDED', unit, `${unit} was started and failed at once${said}`)
  }
  return {
    async unitFileState(unit) {
      const { stdout, stderr } = await exec.run(systemctl('is-enabled', '--', unit))
      return unitFileStateOf(unit, stdout, stderr)
    },
    presetRule: (unit) => readPresetRule(files, unit),
    async enable(units) {
      await runOrFail(exec, systemctl('enable', '--', ...units))
    },
    async disable(units) {
      await runOrFail(exec, systemctl('disable', '--', ...units))
    },
    daemonReload,
    reload: (service, options) => act('reload', service, options),
    restart: (service, options) => act('restart', service, options),
  }
}

interface UnitView {
  readonly canStart: boolean
  readonly isActive: boolean
  /** Or is between two attempts to start. */
  readonly hasFailed: boolean
  /** Has failed, and at most waits for another attempt. */
  readonly isDown: boolean
  /** What systemd knows is not what is on the disk. */
  readonly isStale: boolean
}

const viewProperties = 'LoadState,ActiveState,SubState,NeedDaemonReload'

function parseUnitView(text: string): UnitView {
  const values = new Map(text.split('\n').map((line) => [line.split('=')[0] ?? '', line.split('=')[1] ?? '']))
  return {
    canStart: !['not-found', 'masked'].includes(values.get('LoadState') ?? ''),
    isActive: ['active', 'activating', 'deactivating', 'reloading', 'refreshing'].includes(
      values.get('ActiveState') ?? '',
    ),
    hasFailed: ['failed', 'activating'].includes(values.get('ActiveState') ?? ''),
    isDown: values.get('ActiveState') === 'failed' || values.get('SubState') === 'auto-restart',
    isStale: values.get('NeedDaemonReload') === 'yes',
  }
}

/** `systemctl is-enabled`: its exit code adds nothing, and older versions name a missing unit only on standard error. */
export function unitFileStateOf(unit: string, stdout: string, stderr: string): UnitFileState {
  const word = stdout.trim().split('\n').at(-1) ?? ''
  const known = states[word]
  if (known) return known
  if (word === '' && /No such file or directory|not found|does not exist/i.test(stderr)) return 'not-found'
  throw new HostError('ESYSTEMD', unit, `systemctl cannot tell the state of ${unit}: ${stderr.trim() || word}`)
}

const states: Readonly<Record<string, UnitFileState>> = {
  enabled: 'enabled',
  'enabled-runtime': 'enabled-runtime',
  disabled: 'disabled',
  masked: 'masked',
  'masked-runtime': 'masked-runtime',
  'not-found': 'not-found',
  static: 'static',
  // In none of these can enabling or disabling this unit say more: they are as good as static.
  alias: 'static',
  indirect: 'static',
  generated: 'static',
  transient: 'static',
  bad: 'static',
  // A file from elsewhere that is known by a link, and not enabled.
  linked: 'disabled',
  'linked-runtime': 'disabled',
}

/** A unit that fails is reported with what it said last: the reason is nowhere else. */
async function runUnitJob(exec: Exec, command: HostCommand, unit: string): Promise<void> {
  const { code, stdout, stderr } = await exec.run(command).catch(async (error: unknown) => {
    if (!(error instanceof HostError) || error.code !== 'ETIMEDOUT') throw error
    const said = await lastLines(exec, unit)
    throw new HostError(error.code, unit, `${error.message}${said}`, { cause: error })
  })
  if (code === 0) return
  const said = firstLine(stderr) || firstLine(stdout)
  const failure = commandFailed(command, code, said)
  throw new HostError(failure.code, unit, `${failure.message}${await lastLines(exec, unit)}`)
}

/**
 * What `--unit` selects, and what a child of systemd says of the unit before it becomes its program: that a program is
 * missing. Such a child is gone before the journal can look up which unit it belongs to.
 */
const linesOf = (unit: string): readonly string[] => [`_SYSTEMD_UNIT=${unit}`, '+', '_UID=0', `UNIT=${unit}`]

async function lastLines(exec: Exec, unit: string): Promise<string> {
  const args = ['--no-pager', '--quiet', '--lines=10', '--output=cat', ...linesOf(unit)]
  const { code, stdout } = await exec.run({ program: 'journalctl', args })
  const lines = stdout.trim()
  return code === 0 && lines !== '' ? `; its last log lines: ${lines.split('\n').join(' | ')}` : ''
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''
