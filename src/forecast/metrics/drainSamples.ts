import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { drainRequest, nodeAnnotation } from '../../api/names.ts'
import { drainStartedAnnotation } from '../../drain/drainAnnotations.ts'
import { drainPolicyOf } from '../../drain/drainPolicy.ts'
import { publishedBlockers } from '../publishedBlockers.ts'
import { type ClusterSample, sample, timeSample } from './clusterFamilies.ts'
import type { NodeFact } from './nodeFacts.ts'

/** A drain of very many protected pods must not become very many series. */
const shownBlockers = 100

/** Running drains, and who holds them up, as the drain controller keeps them on the nodes. */
export function drainSamples(
  pools: readonly MachineConfigPool[],
  nodes: readonly NodeFact[],
  now: Date,
): readonly ClusterSample[] {
  const annotationsOf = new Map(pools.map(({ metadata }) => [metadata.name ?? '', metadata.annotations]))
  const draining = nodes.filter(hasOpenDrain)
  const blocked = draining.map((fact) => ({ fact, blockers: publishedBlockers(fact.node.metadata.annotations) }))
  return [
    ...draining.flatMap(({ line: { name: node, pool }, node: { metadata } }) => {
      const started = metadata.annotations?.[drainStartedAnnotation]
      const { timeoutMs } = drainPolicyOf(annotationsOf.get(pool))
      const isOverdue = started !== undefined && now.getTime() - Date.parse(started) >= timeoutMs
      return [
        ...timeSample('mco_drain_started_timestamp_seconds', { node, pool }, started),
        ...(isOverdue ? [sample('mcc_drain_err', { node }, 1)] : []),
      ]
    }),
    ...blocked.map(({ fact: { line }, blockers }) =>
      sample('mco_drain_blocked_pods', { node: line.name, pool: line.pool }, blockers?.total ?? 0),
    ),
    ...blocked
      .flatMap(({ fact: { line }, blockers }) =>
        (blockers?.blockers ?? []).map(({ namespace, pod, budget, reason }) =>
          sample(
            'mco_drain_blocker_info',
            {
              node: line.name,
              blocked_namespace: namespace,
              blocked_pod: pod,
              budget: budget?.name ?? '',
              reason: reason,
            },
            1,
          ),
        ),
      )
      .slice(0, shownBlockers),
  ]
}

/** Asked for and not answered; a node that is Degraded meanwhile still has it. */
function hasOpenDrain({ node: { metadata } }: NodeFact): boolean {
  const request = metadata.annotations?.[nodeAnnotation.desiredDrain] ?? ''
  return (
    request.startsWith(drainRequest.drainPrefix) && request !== metadata.annotations?.[nodeAnnotation.lastAppliedDrain]
  )
}
