import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { machineConfigNodeCondition, poolCondition } from '../../api/names.ts'
import { unixSeconds } from './clusterFamilies.ts'
import { isUnderWay, type NodeFact } from './nodeFacts.ts'

/**
 * When a rollout last got further: it began, a node completed a phase, or a node arrived. Undefined without a rollout, and
 * while nobody is told to move and nobody is under way, as behind a pause. A node that has given up and tries again and
 * again makes no progress, whatever its conditions do.
 */
export function lastProgress({ status }: MachineConfigPool, nodes: readonly NodeFact[]): Date | undefined {
  const conditions = status?.conditions ?? []
  if (conditions.find(({ type }) => type === poolCondition.updated)?.status !== 'False') return undefined
  const updating = conditions.find(({ type, status: value }) => type === poolCondition.updating && value === 'True')
  const moving = nodes.filter(isUnderWay)
  // Without a beginning, an arrival may be that of the rollout before.
  const arrivals = updating ? nodes.filter((fact) => !isUnderWay(fact)).flatMap(arrivalOf) : []
  const times = [updating?.lastTransitionTime, ...moving.flatMap(phasesOf), ...arrivals].map(unixSeconds)
  const latest = Math.max(...times.map((time) => time ?? 0))
  return latest > 0 ? new Date(latest * 1000) : undefined
}

/**
 * The start, and each completed phase. A phase that is under way is no sign: its condition is written anew with each
 * sentence, for instance when a drain is held up by another pod than before.
 */
const phasesOf = ({ report }: NodeFact): readonly string[] =>
  (report?.status?.conditions ?? [])
    .filter(({ type, status }) =>
      type === machineConfigNodeCondition.updated ? status === 'False' : status === 'True',
    )
    .map(({ lastTransitionTime }) => lastTransitionTime)

const arrivalOf = ({ report }: NodeFact): readonly string[] =>
  (report?.status?.conditions ?? [])
    .filter(({ type, status }) => type === machineConfigNodeCondition.updated && status === 'True')
    .map(({ lastTransitionTime }) => lastTransitionTime)
