import type { Node } from '../../api/core.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { poolMembership } from '../../rollout/poolMembership.ts'
import type { BacklogOptions } from '../backlog.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { explain } from '../explain/explain.ts'
import { certificateSamples } from './certificateSamples.ts'
import { type ClusterSample, sample } from './clusterFamilies.ts'
import { drainSamples } from './drainSamples.ts'
import { findingSamples } from './findingSamples.ts'
import { kubeletCaSamples } from './kubeletCaSamples.ts'
import { nodeFacts } from './nodeFacts.ts'
import { nodeSamples } from './nodeSamples.ts'
import { pauseSamples } from './pauseSamples.ts'
import { poolSamples } from './poolSamples.ts'

/**
 * What is published about a cluster, from its objects alone: the same objects give the same samples, in whichever
 * process and after however many restarts. Label values are names and words, never contents or sentences.
 */
export function clusterMetrics(
  cluster: ClusterSnapshot,
  now: Date,
  options: Pick<BacklogOptions, 'parse'> = {},
): readonly ClusterSample[] {
  // One that was just created by hand, without a spec, says nothing yet.
  const snapshot = { ...cluster, pools: cluster.pools.filter(({ spec }) => spec !== undefined) }
  const nodes = nodeFacts(snapshot, now)
  return [
    ...poolSamples(snapshot, nodes),
    ...pauseSamples(snapshot, now, options),
    ...kubeletCaSamples(snapshot),
    ...nodeSamples(nodes),
    ...drainSamples(snapshot.pools, nodes, now),
    ...findingSamples(explain(snapshot, now)),
    ...ignoredPoolSamples(snapshot.pools, snapshot.nodes),
    ...certificateSamples(snapshot.controllerConfig),
    sample('mco_mosc_count', {}, snapshot.machineOSConfigs.length),
  ]
}

const ignoredPoolSamples = (pools: readonly MachineConfigPool[], nodes: readonly Node[]): readonly ClusterSample[] =>
  [...poolMembership(pools, nodes).customIgnored].sort().map((node) => sample('mcc_pool_alert', { node }, 1))
