import { machineConfigNodeCondition, nodeAnnotation } from '../../api/names.ts'
import { overdueRebootAnnotation } from '../../rollout/overdueReboot.ts'
import { isDriftReason } from '../nodeStatusLine.ts'
import { type ClusterSample, sample, timeSample } from './clusterFamilies.ts'
import { hasFailed, isUnderWay, type NodeFact } from './nodeFacts.ts'

/** Series exist only for nodes about which there is something to say: a healthy fleet of thousands has none. */
export function nodeSamples(nodes: readonly NodeFact[]): readonly ClusterSample[] {
  return nodes.flatMap((fact) => {
    const { name: node, pool, state } = fact.line
    const annotations = fact.node.metadata.annotations ?? {}
    return [
      ...(isUnderWay(fact)
        ? timeSample('mco_node_update_started_timestamp_seconds', { node, pool, state }, updateStarted(fact))
        : []),
      ...(hasFailed(fact) ? [sample('mco_node_failed', { node, pool, state }, 1)] : []),
      ...(annotations[overdueRebootAnnotation] ? [sample('mco_node_reboot_overdue', { node, pool }, 1)] : []),
      ...(hasDrifted(fact) ? [sample('mco_node_drift', { node, pool }, 1)] : []),
    ]
  })
}

/** Its MachineConfigNode stops being Updated with the first phase of an update. */
function updateStarted({ report }: NodeFact): string | undefined {
  const updated = report?.status?.conditions?.find(({ type }) => type === machineConfigNodeCondition.updated)
  return updated && updated.status !== 'True' ? updated.lastTransitionTime : undefined
}

const hasDrifted = (fact: NodeFact): boolean =>
  hasFailed(fact) && isDriftReason(fact.node.metadata.annotations?.[nodeAnnotation.reason])
