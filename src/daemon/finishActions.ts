import { eventReason, nodeAnnotation, nodeState } from '../api/names.ts'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'
import type { DaemonMetrics } from './daemonMetrics.ts'
import type { Journal, JournalState } from './journal.ts'
import { type NodeReport, phases } from './nodeReport.ts'
import { ActionFailed, describeAction, needsReboot, runActions } from './postConfigActions.ts'
import { repeatAfterUndo } from './repeatAfterUndo.ts'
import { commit, undoOpen } from './transaction.ts'
import { changedUnits } from './unitSteps.ts'
import { withoutReboot } from './withoutReboot.ts'

export interface FinishPorts {
  readonly nodeName: string
  readonly host: Host
  readonly journal: Journal
  readonly report: NodeReport
  readonly log: Log
  readonly clock: Clock
  readonly metrics: DaemonMetrics
}

export type FinishOutcome =
  | { readonly kind: 'done' }
  /** The boot has happened while we waited (simulated machines). */
  | { readonly kind: 'rebooted' }
  | { readonly kind: 'rebooting' }
  | { readonly kind: 'failed'; readonly message: string; readonly undone: boolean }

/** The part of an update after the disk: services or the reboot, then the journal is closed. A failure undoes all of it. */
export async function finishActions(ports: FinishPorts, state: JournalState): Promise<FinishOutcome> {
  if (needsReboot(state.header.actions)) return reboot(ports, state)
  // A shutdown that ends a service while it restarts would look like its refusal.
  return withoutReboot(ports.host, `finishing the update to ${state.header.to}`, () => services(ports, state))
}

async function reboot(
  { nodeName, host, journal, report, log, metrics }: FinishPorts,
  { header }: JournalState,
): Promise<FinishOutcome> {
  const why = `Node will reboot into config ${header.to}`
  const before = await host.power.bootId()
  report.phase(phases.rebooting())
  report.event('Normal', eventReason.reboot, why)
  report.annotateLater({ [nodeAnnotation.postConfigAction]: nodeState.rebooting })
  await report.show()
  await journal.record({ kind: 'rebootRequested', bootId: before })
  log.info('initiating reboot', { node: nodeName, why })
  try {
    await host.power.reboot(why)
  } catch (error) {
    metrics.rebootFailed()
    await report.annotate({ [nodeAnnotation.postConfigAction]: '' })
    return undo({ host, journal }, `reboot command failed, something is seriously wrong: ${messageOf(error)}`)
  }
  return (await host.power.bootId()) === before ? { kind: 'rebooting' } : { kind: 'rebooted' }
}

async function services(ports: FinishPorts, { header, actionsDone }: JournalState): Promise<FinishOutcome> {
  const { nodeName, host, journal, report, log, clock } = ports
  const begun: PolicyAction[] = header.actions.filter((_, index) => actionsDone.has(index))
  const context = {
    host,
    clock,
    configName: header.to,
    changedUnits: changedUnits(header.steps),
    onEvent: report.event,
    onLog: (message: string) => log.info(message, { node: nodeName }),
  }
  // A service may take its time.
  if (header.actions.some(({ type }) => type !== 'None')) await report.show()
  try {
    await runActions(context, header.actions, {
      isDone: (index) => actionsDone.has(index),
      onBegin: (action) => void begun.push(action),
      onDone: (index) => journal.record({ kind: 'actionDone', action: index }),
    })
  } catch (error) {
    if (!(error instanceof ActionFailed)) throw error
    const outcome = await undo({ host, journal }, error.message)
    await repeatAfterUndo(context, begun)
    return outcome
  }
  await commit(host, journal)
  const [first] = header.actions
  const message =
    first === undefined || first.type === 'None'
      ? 'Changes do not require a reboot'
      : `Upgrade required a ${header.actions.map(describeAction).join(', ')}. Completed this as a post update action.`
  report.phase(
    phases.actionsDone(message, first === undefined || first.type === 'None' ? 'None' : 'UpdatePostActionComplete'),
  )
  return { kind: 'done' }
}

async function undo({ host, journal }: Pick<FinishPorts, 'host' | 'journal'>, message: string): Promise<FinishOutcome> {
  const errors = await undoOpen(host, journal, message)
  if (errors.length === 0) return { kind: 'failed', message, undone: true }
  return { kind: 'failed', message: `error rolling back: [${[...errors, message].join(', ')}]`, undone: false }
}
