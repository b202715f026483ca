import { emptyConfig, emptyConfigName } from '../../../src/daemon/change.ts'
import { gatherFacts } from '../../../src/daemon/hostFacts.ts'
import { currentConfigPath } from '../../../src/daemon/hostPaths.ts'
import { openJournal } from '../../../src/daemon/journal.ts'
import { defaultAuthorizedKeysFile, defaultSshUser, planUpdate } from '../../../src/daemon/plan.ts'
import { applyPlan, commit, TransactionFailed } from '../../../src/daemon/transaction.ts'
import type { MachineConfigView } from '../../../src/forecast/configDiff.ts'
import type { HostFiles } from '../../../src/host/host.ts'
import { ignitionFromValue } from '../../../src/ignition/parseIgnition.ts'
import type { Adapter, Input } from '../adapter.ts'
import { type DiskEntry, type RecordedMachine, recordedMachine } from '../recordedMachine.ts'

interface ApplyInput {
  readonly os: string
  readonly initial: readonly DiskEntry[]
  readonly enabled: readonly string[]
  readonly unknownUnits: readonly string[]
  readonly systemUnits?: readonly string[]
  readonly rpmOwned: readonly string[]
  readonly skipCertificateWrite: boolean
  readonly forceFile?: boolean
  readonly passwordHashes?: Readonly<Record<string, string>>
  readonly steps: readonly Input[]
  readonly removeAfterFirstStep?: readonly string[]
}

interface StepAnswer {
  readonly error: string | null
  readonly enabled: readonly string[]
  readonly passwordHash: string
  readonly tree: Readonly<Record<string, unknown>>
}

/** Commands are compared by what they lead to: the units that are enabled and the password hash after each step. */
export const adapter: Adapter = { run, recorded }

async function run(_topic: string, input: ApplyInput): Promise<unknown> {
  const { initial, os, ...machineInput } = input
  const machine = await recordedMachine({ ...machineInput, disk: initial, hasCore: os !== 'rhel' })
  const { files } = machine.host
  const before = new Set(Object.keys(await tree(files)).filter((path) => isBase(path, initial)))
  const answers: StepAnswer[] = []
  let old = named(emptyConfig, input, 0)
  try {
    for (const [index, ignition] of input.steps.entries()) {
      const { value } = ignitionFromValue(ignition)
      if (!value) throw new Error('a recorded step must be readable')
      const next = { ...emptyConfig, ignition: value, name: `rendered-${index + 1}` }
      const error = await apply(machine, old, next, input)
      const passwordHash = (await machine.host.accounts.passwordHash(defaultSshUser)) ?? ''
      const after = Object.entries(await tree(files)).filter(([path]) => !before.has(path))
      answers.push({ error, enabled: [...machine.enabled].sort(), passwordHash, tree: Object.fromEntries(after) })
      old = named(next, input, index + 1)
      if (index === 0) for (const path of input.removeAfterFirstStep ?? []) await files.remove(path)
    }
    return { steps: answers }
  } finally {
    machine.close()
  }
}

/** With the certificates written by nobody else the recording is of a first boot, else of a running node. */
const named = (view: MachineConfigView, { skipCertificateWrite }: ApplyInput, index: number): MachineConfigView => ({
  ...view,
  name: skipCertificateWrite ? `rendered-${index}` : emptyConfigName,
})

async function apply(
  { host }: RecordedMachine,
  old: MachineConfigView,
  next: MachineConfigView,
  { forceFile: force = false }: ApplyInput,
): Promise<string | null> {
  const facts = await gatherFacts(host, old, next, {
    sshUser: defaultSshUser,
    authorizedKeysFile: defaultAuthorizedKeysFile,
  })
  const plan = planUpdate(old, next, facts, { force, currentConfigText: next.name })
  const [problem] = [...plan.refusals, ...plan.problems]
  if (problem) return problem.message
  const journal = openJournal(host.files)
  try {
    await applyPlan({ host, journal, plan, id: 'golden', from: old.name, to: next.name, actions: [] })
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
    return error.message
  }
  await commit(host, journal)
  return null
}

function recorded(_topic: string, input: ApplyInput, expected: Input): unknown {
  const enabled = new Set(input.enabled)
  let passwordHash = (input.passwordHashes ?? { core: '*' })[defaultSshUser] ?? ''
  return {
    steps: expected.steps.map(({ commands, error, tree: entries }: Input) => {
      for (const [program, verb, ...rest] of commands as string[][]) {
        if (program === 'usermod') passwordHash = rest[0] ?? ''
        if (program !== 'systemctl' || rest.some((unit) => input.unknownUnits.includes(unit))) continue
        for (const unit of rest) {
          if (verb === 'enable') enabled.add(unit)
          if (verb === 'disable' || verb === 'preset') enabled.delete(unit)
        }
      }
      const shown = entries.map(({ path, uid = 0, gid = 0, ...rest }: Input) => [path, { uid, gid, ...rest }])
      const answer: StepAnswer = {
        error: error === null ? null : error.trim(),
        enabled: [...enabled].sort(),
        passwordHash,
        tree: withoutRecords(Object.fromEntries(shown.map(([path, rest]: Input) => [path, withoutLinkOwner(rest)]))),
      }
      return answer
    }),
  }
}

const recordedDirectories = ['/etc', '/opt', '/srv', '/home', '/var', '/usr/local']

/** Where the recording looks, in its shape; what the base system brings is taken out by the caller. */
async function tree(files: HostFiles): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const visit = async (path: string): Promise<void> => {
    const status = await files.status(path)
    if (!status) return
    const shown = { uid: status.uid, gid: status.gid, mode: `0${status.mode.toString(8).padStart(3, '0')}` }
    if (status.kind === 'symlink') found[path] = { symlink: await files.readLink(path) }
    else if (status.kind === 'file') found[path] = { ...shown, ...content(await files.read(path)) }
    else {
      found[path] = { ...shown, dir: true }
      for (const name of await files.list(path)) await visit(`${path}/${name}`)
    }
  }
  for (const directory of recordedDirectories) await visit(directory)
  return withoutRecords(found)
}

function content(bytes: Buffer): Record<string, string> {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') }
}

const withoutLinkOwner = ({ uid, gid, ...rest }: Input): Input =>
  rest.symlink === undefined ? { uid, gid, ...rest } : rest

/** The daemon's own memory is no part of the recording. */
const withoutRecords = (entries: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entries).filter(
      ([path]) =>
        ![currentConfigPath, '/etc/machine-config-daemon', '/var/lib'].includes(path) &&
        !path.startsWith('/var/lib/mco'),
    ),
  )

/** Not what the recording put there, and not the directories that it needs. */
const isBase = (path: string, initial: readonly DiskEntry[]): boolean =>
  ['/etc/passwd', '/etc/group', '/etc/shadow'].includes(path) ||
  (!initial.some((entry) => entry.path === path || entry.path.startsWith(`${path}/`)) &&
    !initial.some((entry) => path.startsWith(`${entry.path}/`))) ||
  ['/etc', '/etc/systemd', '/etc/systemd/system', '/home/core', ...recordedDirectories].includes(path)
