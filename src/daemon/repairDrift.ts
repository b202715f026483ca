import type { ClusterPolicies } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import { type Drift, type DriftOptions, driftReason } from './drift.ts'
import { gatherFacts } from './hostFacts.ts'
import type { Journal } from './journal.ts'
import type { LoadedConfig } from './loadConfig.ts'
import { driftedPart, planRepair } from './planRepair.ts'
import { type ActionContext, ActionFailed, runActions } from './postConfigActions.ts'
import { applyPlan, commit, TransactionFailed } from './transaction.ts'
import { changedUnits } from './unitSteps.ts'
import { withoutReboot } from './withoutReboot.ts'

export interface RepairPorts extends DriftOptions {
  readonly host: Host
  readonly journal: Journal
  readonly policies: ClusterPolicies
  /** Short and unique on this host; part of temporary names. */
  readonly id: string
  readonly clock: Clock
  readonly onEvent: ActionContext['onEvent']
  readonly onLog: ActionContext['onLog']
}

export type RepairOutcome =
  | { readonly kind: 'repaired' }
  /** What differed is on disk again, but a service did not take it up; or it could not be written at all. */
  | { readonly kind: 'failed'; readonly message: string }

/** Writes again what differs, as a journalled transaction; then reloads or restarts the services that the policies name. */
export async function repairDrift(
  { host, journal, policies, id, clock, onEvent, onLog, sshUser, authorizedKeysFile }: RepairPorts,
  config: LoadedConfig,
  drift: readonly Drift[],
): Promise<RepairOutcome> {
  const part = driftedPart(config.view, drift)
  const facts = await gatherFacts(host, part, part, { sshUser, authorizedKeysFile })
  const options = { sshUser, authorizedKeysFile, currentConfigText: config.text }
  const { plan, actions } = planRepair(config.view, drift, facts, policies, options)
  const { name } = config.view
  const reason = driftReason(name, drift)
  const [problem] = [...plan.refusals, ...plan.problems]
  if (problem) return { kind: 'failed', message: `${reason}; it cannot be repaired: ${problem.message}` }
  try {
    await applyPlan({ host, journal, plan, id, from: name, to: name, actions })
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
    return { kind: 'failed', message: `${reason}; the repair failed: ${error.message}` }
  }
  try {
    const context = { host, clock, configName: name, changedUnits: changedUnits(plan.steps), onEvent, onLog }
    await withoutReboot(host, `repairing ${name}`, () =>
      runActions(context, actions, {
        isDone: () => false,
        onDone: (index) => journal.record({ kind: 'actionDone', action: index }),
      }),
    )
  } catch (error) {
    if (!(error instanceof ActionFailed)) throw error
    // The disk is right; taking it back to what differed would help nobody.
    await commit(host, journal)
    return { kind: 'failed', message: `${reason}; it is repaired on disk, but: ${error.message}` }
  }
  await commit(host, journal)
  return { kind: 'repaired' }
}
