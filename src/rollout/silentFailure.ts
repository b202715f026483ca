import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import { machineConfigNodeCondition as condition, nodeAnnotation } from '../api/names.ts'
import type { NodeView } from './nodeView.ts'

/** Conditions that tell nothing about the progress of an update. */
const aside: ReadonlySet<string> = new Set([
  condition.pinnedImageSetsProgressing,
  condition.pinnedImageSetsDegraded,
  condition.nodeDegraded,
])

/** The conditions by which a daemon tells the progress of an update. */
export const progressConditions = (report: MachineConfigNode | undefined) =>
  (report?.status?.conditions ?? []).filter(({ type }) => !aside.has(type))

/** The phase that is under way: the newest condition that is neither True nor False. */
export function phaseOf(report: MachineConfigNode | undefined) {
  const running = progressConditions(report).filter(({ status }) => status === 'Unknown')
  return running.toSorted((a, b) => (a.lastTransitionTime < b.lastTransitionTime ? 1 : -1))[0]
}

/** What the objects still tell of a node whose daemon gave up without a word. */
export function describeSilence({ annotations }: NodeView, report: MachineConfigNode | undefined): string {
  const current = annotations[nodeAnnotation.currentConfig] || 'no config'
  const desired = annotations[nodeAnnotation.desiredConfig] || 'no config'
  const way = current === desired ? `at ${current}` : `on the way from ${current} to ${desired}`
  const phase = phaseOf(report)
  const where = phase ? `, in phase ${phase.type} ("${phase.message}")` : ''
  return `${annotations[nodeAnnotation.state] || 'degraded'} ${way}${where}, and its daemon gave no reason`
}
