import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { machineConfigAnnotation, poolCondition } from '../../api/names.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { groupBy } from '../groupBy.ts'
import { type ClusterSample, sample, timeSample, unixSeconds } from './clusterFamilies.ts'
import type { NodeFact } from './nodeFacts.ts'
import { lastProgress } from './rolloutProgress.ts'

/** Counts, conditions and the progress of every pool; what waits behind its pause is `backlogSamples`. */
export function poolSamples(snapshot: ClusterSnapshot, nodes: readonly NodeFact[]): readonly ClusterSample[] {
  const configs = new Map(snapshot.machineConfigs.map((config) => [config.metadata.name ?? '', config]))
  const members = groupBy(nodes, ({ line }) => line.pool)
  return snapshot.pools.flatMap((pool) => {
    const name = pool.metadata.name ?? ''
    const own = members.get(name) ?? []
    const rendered = configs.get(pool.spec.configuration?.name ?? '')
    const overridden = rendered?.metadata.annotations?.[machineConfigAnnotation.osImageUrlOverridden] === 'true'
    return [
      ...countSamples(pool),
      ...(rendered ? [sample('os_image_url_override', { pool: name }, overridden ? 1 : 0)] : []),
      ...conditionSamples(pool),
      ...stateSamples(name, own),
      ...timeSample('mco_pool_last_progress_timestamp_seconds', { pool: name }, lastProgress(pool, own)),
      ...originalStateSamples(pool, own),
    ]
  })
}

function countSamples({ metadata, status }: MachineConfigPool): readonly ClusterSample[] {
  const labels = { pool: metadata.name ?? '' }
  return [
    sample('mco_machine_count', labels, status?.machineCount ?? 0),
    sample('mco_updated_machine_count', labels, status?.updatedMachineCount ?? 0),
    sample('mco_degraded_machine_count', labels, status?.degradedMachineCount ?? 0),
    sample('mco_unavailable_machine_count', labels, status?.unavailableMachineCount ?? 0),
  ]
}

/** Types are the closed set of `poolCondition`: another controller's condition makes no series. */
const knownConditions: ReadonlySet<string> = new Set(Object.values(poolCondition))

const conditionSamples = ({ metadata, status }: MachineConfigPool): readonly ClusterSample[] =>
  (status?.conditions ?? [])
    .filter(({ type }) => knownConditions.has(type))
    .map(({ type, status: value }) =>
      sample('mco_pool_condition', { pool: metadata.name ?? '', condition: type }, value === 'True' ? 1 : 0),
    )

function stateSamples(pool: string, nodes: readonly NodeFact[]): readonly ClusterSample[] {
  const byState = groupBy(nodes, ({ line }) => line.state)
  return [...byState]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([state, found]) => sample('mco_pool_nodes', { pool, state }, found.length))
}

/** As the original: one series for each node, with the condition of its pool that turned true last. */
function originalStateSamples({ metadata, status }: MachineConfigPool, nodes: readonly NodeFact[]): ClusterSample[] {
  const latest = (status?.conditions ?? [])
    .filter(({ type, status: value }) => knownConditions.has(type) && value === 'True')
    .toSorted((a, b) => (unixSeconds(b.lastTransitionTime) ?? 0) - (unixSeconds(a.lastTransitionTime) ?? 0))[0]
  const at = unixSeconds(latest?.lastTransitionTime)
  if (!latest || at === undefined) return []
  // The reason is a word of ours; the message has no end and stays out.
  const labels = { pool: metadata.name ?? '', state: latest.type, reason: latest.reason ?? '' }
  return nodes.map(({ line }) => sample('mco_state', { node: line.name, ...labels }, at))
}
