import { eventReason, forceFilePath, nodeAnnotation, nodeState } from '../api/names.ts'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import type { PhaseReport } from '../rollout/machineConfigNode.ts'
import { emptyConfigName } from './change.ts'
import type { DiskRecord } from './diskRecord.ts'
import { type Grant, obtainGrant } from './drainGrant.ts'
import { endUpdate } from './endUpdate.ts'
import { annotationsOf, driftRetryMs, laterBy, type NodeContext, type NodeCore, newUpdateId } from './nodeContext.ts'
import { failUpdate } from './nodeFailure.ts'
import { isDegradedState, phases } from './nodeReport.ts'
import { type ConfigTarget, drainRequestFor } from './nodeSync.ts'
import { describeAction } from './postConfigActions.ts'
import { planText, progressText } from './progressText.ts'
import { loadTarget, type ReadyUpdate, readyUpdate } from './readyUpdate.ts'
import type { Step } from './step.ts'
import { applyPlan, TransactionFailed } from './transaction.ts'

/** From what is on the disk to the target: judge, drain where needed, write, act. Each call goes as far as it can. */
export async function updateNode(
  context: NodeContext,
  { from, to, force }: { readonly from: ConfigTarget; readonly to: ConfigTarget; readonly force: boolean },
  disk: DiskRecord,
): Promise<Date | undefined> {
  const { ports, memory, driftResponse } = context
  const { report, nodeName } = ports
  const old = disk.config ?? (await loadTarget(context, from, from))
  const next = await loadTarget(context, to, from)
  if (!old || !next) return memory.failed?.retryAt
  if (
    !force &&
    from.config !== emptyConfigName &&
    (await driftResponse.isBlocked(old, eventReason.preflightConfigDriftCheckFailed))
  )
    return laterBy(context, driftRetryMs)
  const ready = await readyUpdate(context, old, next, force)
  if (!ready) return memory.failed?.retryAt
  const { change } = ready
  report.phase(phases.needsUpdate(nodeName))
  report.phase(phases.prepared(change.actions.map(describeAction), change.drain))
  const grant = await drained(context, { config: to.config, drain: change.drain })
  if (grant.kind === 'waiting') return grant.again
  await report.annotate(workingAnnotations(context))
  return applyUpdate(context, from, to, ready, change.actions, force)
}

/** A node that failed stays visibly so until it succeeds. */
export function workingAnnotations(core: NodeCore): Readonly<Record<string, string>> {
  if (isDegradedState(annotationsOf(core))) return {}
  core.ports.metrics.state(nodeState.working, '', core.ports.clock.now())
  return { [nodeAnnotation.state]: nodeState.working }
}

/** Asks for the drain where one is needed. */
export async function drained(
  context: NodeContext,
  { config, drain }: { readonly config: string; readonly drain: boolean },
): Promise<Grant> {
  const { report } = context.ports
  if (!drain) {
    report.phase(phases.drainNotNeeded())
    return { kind: 'granted' }
  }
  if (annotationsOf(context)[nodeAnnotation.controlPlaneTopology] === 'SingleReplica') {
    report.event('Normal', eventReason.drain, 'Drain not required, skipping')
    return { kind: 'granted' }
  }
  return obtainGrant(context.drains, drainRequestFor(config), workingAnnotations(context))
}

/** The transaction on the disk, and what follows it. */
export async function applyUpdate(
  context: NodeContext,
  from: ConfigTarget,
  to: ConfigTarget,
  { plan, change }: ReadyUpdate,
  actions: readonly PolicyAction[],
  force = false,
): Promise<Date | undefined> {
  const { ports, memory, drift, sigterm } = context
  const { host, journal, report, log, nodeName, clock, metrics, onProgress } = ports
  drift.stop()
  const os = change.diff.osUpdate || change.diff.kargs || change.diff.kernelType || change.diff.extensions
  const applying = (detail: string): PhaseReport => phases.applying(os, change.diff.passwd, detail)
  report.phase(applying(planText(plan.steps)))
  await report.show()
  log.info('node update started', {
    node: nodeName,
    from: from.config,
    to: to.config,
    steps: plan.steps.length,
    actions: actions.map(describeAction),
  })
  for (const note of plan.notes) log.info('left out of an update', { node: nodeName, note })
  memory.journalMayBeOpen = true
  sigterm.add()
  try {
    await applyPlan({
      host,
      journal,
      plan,
      id: newUpdateId(context),
      from: from.config,
      to: to.config,
      actions,
      onProgress: (progress) => {
        report.progress(applying(progressText(progress)))
        onProgress?.(progress)
      },
    })
    if (plan.steps.some(isImageSwitch)) metrics.imageSwitch('done')
    if (force) await host.files.remove(forceFilePath)
    report.phase(phases.applied(os, change.diff.passwd))
    const state = await journal.read()
    return state ? await endUpdate(context, state, to) : clock.now()
  } catch (error) {
    if (!(error instanceof TransactionFailed)) throw error
    if (error.step && isImageSwitch(error.step)) metrics.imageSwitch('failed')
    return failUpdate(context, from, to, { message: error.message, undone: error.undoErrors.length === 0 })
  } finally {
    sigterm.remove()
  }
}

const isImageSwitch = ({ kind }: Step): boolean => kind === 'setOsImage'
