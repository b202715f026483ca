import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { machineConfigNodeCondition, poolCondition } from '../../api/names.ts'
import { unixSeconds } from './clusterFamilies.ts'
import { isUnderWay, type NodeFact } from './nodeFacts.ts'

/**
 * When a rollout last got further: it began, a node came into another phase, or a node arrived. Undefined without a
 * rollout, and while the pool is paused and no node is under way. A node that has given up and tries again and again
 * makes no progress, whatever its conditions do.
 */
export function lastProgress({ spec, status }: MachineConfigPool, nodes: readonly NodeFact[]): Date | undefined {
  const updating = status?.conditions?.find(({ type }) => type === poolCondition.updating)
  const isUpdated = status?.conditions?.some(
    ({ type, status: value }) => type === poolCondition.updated && value === 'True',
  )
  if (isUpdated !== false || updating === undefined) return undefined
  if (spec.paused === true && !nodes.some(isUnderWay)) return undefined
  const times = [updating.status === 'True' ? updating.lastTransitionTime : undefined, ...nodes.flatMap(signsOf)].map(
    unixSeconds,
  )
  const latest = Math.max(...times.map((time) => time ?? 0))
  return latest > 0 ? new Date(latest * 1000) : undefined
}

function signsOf(fact: NodeFact): readonly string[] {
  const conditions = fact.report?.status?.conditions ?? []
  const arrived = conditions.filter(
    ({ type, status }) => type === machineConfigNodeCondition.updated && status === 'True',
  )
  return (isUnderWay(fact) ? conditions : arrived).map(({ lastTransitionTime }) => lastTransitionTime)
}
