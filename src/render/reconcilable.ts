import { forceFilePath } from '../api/names.ts'
import { equalValue } from '../ignition/equalValue.ts'
import { mergeWireError, parseIgnition } from '../ignition/parseIgnition.ts'
import type { IgnitionConfig, PasswdUser, Storage } from '../ignition/types.ts'
import type { Fragment } from './parseFragment.ts'
import { modeError } from './validateMachineConfig.ts'

/** Sections of storage that an administrator allows to differ (MachineConfiguration spec.irreconcilableValidationOverrides). */
type StorageOverride = 'Disks' | 'FileSystems' | 'Raid'
export interface IrreconcilableOverrides {
  readonly storage?: readonly StorageOverride[]
}

/** Which rule refuses the change. `unreadable` is a fault of a config, the others are differences. */
export type IrreconcilableRule =
  | 'unreadable'
  | 'passwd'
  | 'kernelArguments'
  | 'disks'
  | 'filesystems'
  | 'raid'
  | 'directories'
  | 'links'
  | 'append'
  | 'forceFile'
  | 'fips'

export type Reconcilability =
  | { readonly kind: 'reconcilable' }
  | {
      readonly kind: 'irreconcilable'
      readonly rule: IrreconcilableRule
      /** The sentence about the rule. */
      readonly reason: string
      /** The same with both configs' names, in the original's words (which name them the wrong way round). */
      readonly message: string
    }

/** One side of the check; a fragment is one, see `parseFragment.ts`. */
export type ReconcilableConfig = Pick<Fragment, 'name' | 'ignition' | 'fips'>

/**
 * Can a running machine go from one config to another in place? Controller, daemon and `mco diff` all ask here
 * (spec: render 9, daemon 6). The first failing rule wins. LUKS, Ignition's own section, kernel type, extensions and
 * images are not compared.
 */
export function reconcilable(
  old: ReconcilableConfig,
  next: ReconcilableConfig,
  overrides: IrreconcilableOverrides = {},
): Reconcilability {
  const before = readableConfig(old)
  if ('error' in before) return unreadable('parsing old', old.name, before.error)
  const after = readableConfig(next)
  if ('error' in after) return unreadable('parsing new', next.name, after.error)
  const badMode = after.config.storage?.files?.find(({ mode }) => (mode ?? 0) > 0o777)
  if (badMode) return unreadable('validating new', next.name, modeError(badMode.path, badMode.mode ?? 0))
  const broken = firstBrokenRule(before.config, after.config, overrides) ?? fipsRule(old, next)
  if (!broken) return { kind: 'reconcilable' }
  const message = `new machineconfig "${old.name}" is not reconcilable against "${next.name}": ${broken.reason}`
  return { kind: 'irreconcilable', ...broken, message }
}

/** The fault of one side without its Ignition text: a MachineConfig without a config has nothing to compare. */
function readableConfig({ ignition }: ReconcilableConfig): { config: IgnitionConfig } | { error: string } {
  if (ignition.kind === 'parsed') return { config: ignition.config }
  return { error: ignition.kind === 'refused' ? ignition.mergeError : (mergeWireError(parseIgnition('')) ?? '') }
}

function unreadable(what: string, name: string, error: string): Reconcilability {
  const message = `${what} Ignition config from machineconfig "${name}" failed: ${error}`
  return { kind: 'irreconcilable', rule: 'unreadable', reason: error, message }
}

interface BrokenRule {
  readonly rule: IrreconcilableRule
  readonly reason: string
}

function firstBrokenRule(
  before: IgnitionConfig,
  after: IgnitionConfig,
  { storage: allowed = [] }: IrreconcilableOverrides,
): BrokenRule | undefined {
  const differs = (section: keyof Storage) => !equalValue(before.storage?.[section], after.storage?.[section])
  const passwd = whyPasswdIrreconcilable(before, after)
  if (passwd) return { rule: 'passwd', reason: `invalid passwd change(s): ${passwd}` }
  if (!equalValue(before.kernelArguments ?? {}, after.kernelArguments ?? {})) {
    return { rule: 'kernelArguments', reason: 'ignition kargs section contains changes' }
  }
  const sections = [
    ['disks', 'Disks'],
    ['filesystems', 'FileSystems'],
    ['raid', 'Raid'],
  ] as const
  const section = sections.find(([name, override]) => differs(name) && !allowed.includes(override))?.[0]
  if (section) return { rule: section, reason: `ignition ${section} section contains changes` }
  if (differs('directories')) return { rule: 'directories', reason: 'ignition directories section contains changes' }
  // Links can be forgotten, all at once: the daemon then has nothing to make.
  if (differs('links') && (after.storage?.links ?? []).length > 0) {
    return { rule: 'links', reason: 'ignition links section contains changes' }
  }
  return fileRule(after)
}

function fileRule(after: IgnitionConfig): BrokenRule | undefined {
  for (const { path, append } of after.storage?.files ?? []) {
    if ((append ?? []).length > 0) return { rule: 'append', reason: `ignition file ${path} includes append` }
    if (path === forceFilePath) return { rule: 'forceFile', reason: `cannot create ${path} via Ignition` }
  }
  return undefined
}

/** Only the ssh keys and the password hash of user core may change. Removing all users is fine: nobody is deleted by it. */
function whyPasswdIrreconcilable(before: IgnitionConfig, after: IgnitionConfig): string | undefined {
  if (!equalValue(before.passwd?.groups, after.passwd?.groups)) return 'ignition Passwd Groups section contains changes'
  const users = after.passwd?.users ?? []
  if (equalValue(before.passwd?.users, after.passwd?.users)) return undefined
  if (users.some(({ name }) => name !== 'core')) {
    return 'ignition passwd user section contains unsupported changes: non-core user'
  }
  const last = users.at(-1)
  if (!last) return undefined
  if (last.passwordHash === undefined && (last.sshAuthorizedKeys ?? []).length === 0) {
    return 'ignition passwd user section contains unsupported changes: user must be core and have 1 or more sshKeys'
  }
  return hasOtherFields(last) ? 'SSH keys and password hash are not reconcilable' : undefined
}

function hasOtherFields({
  name: _name,
  passwordHash: _hash,
  sshAuthorizedKeys: _keys,
  ...others
}: PasswdUser): boolean {
  return Object.values(others).some((value) => value !== undefined)
}

function fipsRule(old: ReconcilableConfig, next: ReconcilableConfig): BrokenRule | undefined {
  if (old.fips === next.fips) return undefined
  return { rule: 'fips', reason: 'detected change to FIPS flag; refusing to modify FIPS on a running cluster' }
}
