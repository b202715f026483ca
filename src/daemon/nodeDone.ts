import { eventReason, nodeAnnotation, nodeState } from '../api/names.ts'
import { emptyConfigName } from './change.ts'
import type { DiskRecord } from './diskRecord.ts'
import { obtainGrant } from './drainGrant.ts'
import { drainRequestedAnnotation } from './drainStep.ts'
import { irreconcilableChanges } from './installedConfig.ts'
import { driftRetryMs, laterBy, type NodeContext, newUpdateId } from './nodeContext.ts'
import { phases } from './nodeReport.ts'
import { type ConfigTarget, uncordonRequestFor } from './nodeSync.ts'
import { loadTarget, readyUpdate } from './readyUpdate.ts'
import { applyPlan, commit } from './transaction.ts'

/** The disk says that it is there: verified, the node is given back and Done. */
export async function finishNode(
  context: NodeContext,
  target: ConfigTarget,
  disk: DiskRecord,
): Promise<Date | undefined> {
  const { ports, memory, driftResponse, drains } = context
  const { host, journal, report, log, nodeName, clock } = ports
  const config = disk.config ?? (await loadTarget(context, target, target))
  if (!config) return memory.failed?.retryAt
  if (await driftResponse.isBlocked(config, eventReason.onDiskStateValidationFailed))
    return laterBy(context, driftRetryMs)
  if (!disk.config && config.view.name !== emptyConfigName) {
    const ready = await readyUpdate(context, config, config, false)
    if (!ready) return memory.failed?.retryAt
    memory.journalMayBeOpen = true
    const { config: name } = target
    await applyPlan({ host, journal, plan: ready.plan, id: newUpdateId(context), from: name, to: name, actions: [] })
    await commit(host, journal)
    memory.journalMayBeOpen = false
  }
  report.phase(phases.resumed(target.config))
  const grant = await obtainGrant(drains, uncordonRequestFor(target.config))
  if (grant.kind === 'waiting') return grant.again
  await reportDone(context, target)
  log.info('node update finished', { node: nodeName, config: target.config })
  return clock.now()
}

async function reportDone({ ports, memory }: NodeContext, { config, image }: ConfigTarget): Promise<void> {
  const { report, nodeName, metrics, clock } = ports
  report.event('Normal', eventReason.uncordon, `Update completed for config ${config} and node has been uncordoned`)
  report.event('Normal', eventReason.nodeDone, `Setting node ${nodeName}, currentConfig ${config} to Done`)
  memory.failed = undefined
  await report.annotate({
    [nodeAnnotation.currentConfig]: config,
    [nodeAnnotation.state]: nodeState.done,
    [nodeAnnotation.reason]: '',
    [nodeAnnotation.currentImage]: image || null,
    ...(image === '' ? { [nodeAnnotation.desiredImage]: null } : {}),
    [drainRequestedAnnotation]: null,
  })
  report.phase(phases.healthy(nodeName))
  metrics.state(nodeState.done, '', clock.now())
  metrics.updateState(config, '', clock.now())
}

/** Nothing to do but to see that the disk stays as it is. */
export async function restNode(
  context: NodeContext,
  target: ConfigTarget,
  disk: DiskRecord,
): Promise<Date | undefined> {
  const { ports, memory, drift, driftResponse } = context
  const { report, nodeName, cluster, metrics, clock } = ports
  if (disk.config && !drift.isQuiet(disk.config.view.name)) {
    if (await driftResponse.isBlocked(disk.config, eventReason.configDriftDetected))
      return laterBy(context, driftRetryMs)
  }
  const shown = cluster.machineConfigNode(nodeName)
  const isBlank = shown !== undefined && (shown.status?.conditions ?? []).length === 0
  if (memory.reportedIdle !== target.config || isBlank) {
    report.phase(phases.updated(nodeName, disk.config && (await irreconcilableChanges(ports, disk.config))))
    metrics.state(nodeState.done, '', clock.now())
    memory.reportedIdle = target.config
  }
  return undefined
}
