import { type ChangeClass, classifyChange } from '../forecast/classifyChange.ts'
import type { MachineConfigView } from '../forecast/configDiff.ts'
import type { ClusterPolicies } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import { type IrreconcilableOverrides, type ReconcilableConfig, reconcilable } from '../render/reconcilable.ts'
import { emptyConfigName } from './change.ts'
import { gatherFacts } from './hostFacts.ts'
import type { LoadedConfig } from './loadConfig.ts'
import { changedSubjects } from './managedPaths.ts'
import { defaultSshUser, planUpdate } from './plan.ts'
import type { UpdatePlan } from './planBuilder.ts'

export interface PrepareOptions {
  readonly policies: ClusterPolicies
  /** Why the policies are not those that somebody wanted. */
  readonly policyProblem?: string | undefined
  /** Storage sections that may differ from what is on the disk. */
  readonly overrides?: IrreconcilableOverrides
  readonly force?: boolean
  /** False: the host does not remember the config by this update. */
  readonly leavesRecord?: boolean
  /** Paths that the daemon delivers ahead of configs. */
  readonly delivered?: ReadonlySet<string>
  readonly sshUser?: string
  readonly authorizedKeysFile?: string
}

export type PreparedUpdate =
  /** This config can never be applied to this node: a bad config, not a bad node. Nothing was touched. */
  | { readonly kind: 'unreconcilable'; readonly message: string }
  /** Something on the host or in the config must be put right first. Nothing was touched. */
  | { readonly kind: 'blocked'; readonly message: string }
  | { readonly kind: 'ready'; readonly plan: UpdatePlan; readonly change: ChangeClass }

/** Everything that can be known about an update before it starts. Reads the host, changes nothing. */
export async function prepareUpdate(
  host: Host,
  old: LoadedConfig,
  next: LoadedConfig,
  options: PrepareOptions,
): Promise<PreparedUpdate> {
  const {
    policies,
    overrides,
    force = false,
    leavesRecord = true,
    delivered,
    sshUser = defaultSshUser,
    authorizedKeysFile = host.authorizedKeysFile,
  } = options
  const { name: from } = old.view
  const { name: to } = next.view
  // A host that no config was applied to is brought to one as at its first boot.
  const verdict = from === emptyConfigName ? undefined : reconcilable(sideOf(old.view), sideOf(next.view), overrides)
  if (verdict?.kind === 'irreconcilable')
    return {
      kind: 'unreconcilable',
      message: `can't reconcile config ${from} with ${to}: configs ${from}, ${to} are not reconcilable: ${verdict.message}`,
    }
  const isWhole = force || from === emptyConfigName
  const scope = isWhole ? {} : changedSubjects(old.view, next.view)
  const facts = await gatherFacts(host, old.view, next.view, { sshUser, authorizedKeysFile, scope })
  const plan = planUpdate(old.view, next.view, facts, {
    force,
    currentConfigText: leavesRecord ? next.text : undefined,
    currentImage: next.view.layeredImage ?? '',
    ...(delivered && { delivered }),
    sshUser,
    authorizedKeysFile,
  })
  if (plan.refusals.length > 0) {
    const reasons = plan.refusals.map(({ field, message }) => `${field}: ${message}`).join('; ')
    return { kind: 'unreconcilable', message: `can't reconcile config ${from} with ${to}: ${reasons}` }
  }
  if (plan.problems.length > 0)
    return { kind: 'blocked', message: plan.problems.map(({ message }) => message).join('; ') }
  if (options.policyProblem !== undefined) return { kind: 'blocked', message: options.policyProblem }
  const change = classifyChange(old.view, next.view, { policies, forceFile: force })
  if (change.drainError !== undefined) return { kind: 'blocked', message: change.drainError }
  return { kind: 'ready', plan, change }
}

const sideOf = ({ name, ignition, fips }: MachineConfigView): ReconcilableConfig => ({
  name,
  fips,
  ignition: { kind: 'parsed', config: ignition, warnings: [] },
})
