import { machineConfigNodeCondition as condition } from '../../api/names.ts'
import type { NodeSituation } from './situation.ts'

/** Conditions that tell nothing about the progress of an update. */
const aside: ReadonlySet<string> = new Set([
  condition.pinnedImageSetsProgressing,
  condition.pinnedImageSetsDegraded,
  condition.nodeDegraded,
])

/** When the node's daemon last entered a phase, in epoch milliseconds, by its MachineConfigNode. */
export function lastReportMs({ report }: Pick<NodeSituation, 'report'>): number | undefined {
  const times = (report?.status?.conditions ?? [])
    .filter(({ type }) => !aside.has(type))
    .map(({ lastTransitionTime }) => Date.parse(lastTransitionTime))
    .filter((time) => !Number.isNaN(time))
  return times.length > 0 ? Math.max(...times) : undefined
}

/** The phase that the daemon says is under way: the newest condition that is neither True nor False. */
export function phaseOf({ report }: Pick<NodeSituation, 'report'>) {
  const running =
    report?.status?.conditions?.filter(({ status, type }) => status === 'Unknown' && !aside.has(type)) ?? []
  return running.toSorted((a, b) => (a.lastTransitionTime < b.lastTransitionTime ? 1 : -1))[0]
}
