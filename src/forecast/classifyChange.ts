import { forceFilePath } from '../api/names.ts'
import { decodeContents } from '../ignition/contents.ts'
import { changedFiles, changedUnits } from '../ignition/diff.ts'
import type { IgnitionConfig } from '../ignition/types.ts'
import { type ConfigDiff, diffConfigs, type MachineConfigView } from './configDiff.ts'
import { type Because, disruptionActions, drainForActions } from './disruptionActions.ts'
import type { ClusterPolicies, PolicyAction } from './disruptionPolicies.ts'
import { type LegacyAction, legacyAction, legacyDrain, registriesConf } from './legacyActions.ts'
import { registriesChangeIsSafe } from './registriesDrain.ts'

/** What one change does to a node, and which rule says so. The daemon executes it; `diff` and `plan` print it. */
export interface ChangeClass {
  readonly diff: ConfigDiff
  /** Sorted: actions follow in this order, so that the same change always does the same in the same order. */
  readonly changedFiles: readonly string[]
  /** Added, then updated, then removed units, each group sorted. */
  readonly changedUnits: readonly string[]
  readonly actions: readonly PolicyAction[]
  readonly because: readonly Because[]
  readonly drain: boolean
  readonly drainReason: string
  /** registries.conf is not readable as TOML: the drain cannot be decided and the change must not start. */
  readonly drainError?: string
}

export interface ChangeOptions {
  readonly policies: ClusterPolicies
  /** The marker /run/machine-config-daemon-force exists: everything is rewritten and the node reboots. */
  readonly forceFile?: boolean
}

/** Node disruption for a change on a running node (spec: daemon 7.2-7.3, 8.1). */
export function classifyChange(
  old: MachineConfigView,
  next: MachineConfigView,
  { policies, forceFile = false }: ChangeOptions,
): ChangeClass {
  const parts = changedParts(old, next)
  const { actions, because } = actionsFor(parts, policies, forceFile)
  return { ...parts, actions, because, ...drainVerdict(drainForActions(actions), old, next, because) }
}

/** The same by the fixed table, which holds at first boot, when there is no cluster to ask for policies. */
export function classifyFirstBoot(
  old: MachineConfigView,
  next: MachineConfigView,
  { forceFile = false }: { readonly forceFile?: boolean } = {},
): Omit<ChangeClass, 'actions' | 'because'> & { readonly action: LegacyAction } {
  const parts = changedParts(old, next)
  const action = legacyAction(parts.diff, parts.changedFiles, { forceFile })
  return { ...parts, action, ...drainVerdict(legacyDrain(action, parts.changedFiles), old, next, []) }
}

interface Parts {
  readonly diff: ConfigDiff
  readonly changedFiles: readonly string[]
  readonly changedUnits: readonly string[]
}

function changedParts(old: MachineConfigView, next: MachineConfigView): Parts {
  const units = changedUnits(old.ignition, next.ignition)
  return {
    diff: diffConfigs(old, next),
    changedFiles: changedFiles(old.ignition, next.ignition).toSorted(),
    changedUnits: [units.added, units.updated, units.removed].flatMap((names) => names.toSorted()),
  }
}

function actionsFor(
  parts: Parts,
  policies: ClusterPolicies,
  forceFile: boolean,
): { actions: readonly PolicyAction[]; because: readonly Because[] } {
  const forced = rebootReasons(parts.diff, forceFile)
  if (forced.length > 0) return { actions: [{ type: 'Reboot' }], because: forced }
  if (!parts.diff.files && !parts.diff.units && !parts.diff.passwd) return { actions: [{ type: 'None' }], because: [] }
  return disruptionActions(
    { files: parts.changedFiles, units: parts.changedUnits, passwd: parts.diff.passwd },
    policies,
  )
}

function rebootReasons(diff: ConfigDiff, forceFile: boolean): Because[] {
  const because = (subject: string, rule: string): Because => ({ subject, rule, actions: [{ type: 'Reboot' }] })
  if (forceFile) return [because(forceFilePath, 'the force file asks for a full rewrite and a reboot')]
  return [
    ...(diff.osUpdate ? [because('osImageURL', 'a new OS image is used from the next boot')] : []),
    ...(diff.kargs ? [because('kernelArguments', 'the kernel reads its arguments at boot')] : []),
    ...(diff.fips ? [because('fips', 'FIPS mode is set at boot')] : []),
    ...(diff.kernelType ? [because('kernelType', 'another kernel is used from the next boot')] : []),
    ...(diff.extensions ? [because('extensions', 'extensions are part of the OS image of the next boot')] : []),
  ]
}

function drainVerdict(
  wanted: boolean | 'depends',
  old: MachineConfigView,
  next: MachineConfigView,
  because: readonly Because[],
): { drain: boolean; drainReason: string; drainError?: string } {
  if (wanted === true) {
    const cause = because.find((entry) =>
      entry.actions.some((action) => action.type === 'Reboot' || action.type === 'Drain'),
    )
    return { drain: true, drainReason: cause ? `${cause.subject}: ${cause.rule}` : 'the node reboots' }
  }
  if (wanted === false) return { drain: false, drainReason: 'no action disturbs running pods' }
  const before = registriesText(old.ignition)
  const after = registriesText(next.ignition)
  const error = before.error ?? after.error
  if (error !== undefined) return { drain: true, drainReason: error, drainError: error }
  const verdict = registriesChangeIsSafe(before.text, after.text)
  const drainReason = `${registriesConf}: ${verdict.reason}`
  return verdict.error === undefined
    ? { drain: !verdict.safe, drainReason }
    : { drain: true, drainReason, drainError: verdict.error }
}

function registriesText(config: IgnitionConfig): { readonly text: string | null; readonly error?: string } {
  const file = config.storage?.files?.find((candidate) => candidate.path === registriesConf)
  if (!file) return { text: null }
  const { value, issues } = decodeContents(file.contents)
  if (value) return { text: Buffer.from(value).toString('utf8') }
  return {
    text: null,
    error: `could not decode file ${registriesConf}: ${issues.map((issue) => issue.message).join('; ')}`,
  }
}
