import { progressConditions } from '../../rollout/silentFailure.ts'
import type { NodeSituation } from './situation.ts'

/** When the node's daemon last entered a phase, in epoch milliseconds, by its MachineConfigNode. */
export function lastReportMs({ report }: Pick<NodeSituation, 'report'>): number | undefined {
  const times = progressConditions(report)
    .map(({ lastTransitionTime }) => Date.parse(lastTransitionTime))
    .filter((time) => !Number.isNaN(time))
  return times.length > 0 ? Math.max(...times) : undefined
}
