import type { Pod, Taint } from '../../api/core.ts'
import { isSelected, podRequests, tolerates } from '../../drain/whyNowhere.ts'

/** A node as the scheduler sees it. Amounts are in 10^-9 of their unit. */
export interface SchedulerNode {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly unschedulable: boolean
  readonly allocatable: Readonly<Record<string, bigint>>
  readonly used: Readonly<Record<string, bigint>>
}

/**
 * Why the pod cannot run on the node, in the words of kube-scheduler's FailedScheduling message; empty when it can. Like
 * there, the first filter that says no has the word, and lack of room names every resource that is short.
 */
export function whyNotOn(pod: Pod, node: SchedulerNode): readonly string[] {
  const tolerations = pod.spec?.tolerations
  if (node.unschedulable && !tolerates(tolerations, cordon)) return ['node(s) were unschedulable']
  const taint = node.taints.find((each) => isStrict(each) && !isCordon(each) && !tolerates(tolerations, each))
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`]
  if (!isSelected(pod.spec, node)) return ["node(s) didn't match Pod's node affinity/selector"]
  return shortages(pod, node)
}

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }
const isCordon = ({ key }: Taint): boolean => key === cordon.key
const isStrict = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute'

function shortages(pod: Pod, { allocatable, used }: SchedulerNode): readonly string[] {
  const short = Object.entries(podRequests(pod.spec)).filter(
    ([resource, amount]) => amount > 0n && amount > (allocatable[resource] ?? 0n) - (used[resource] ?? 0n),
  )
  return short.map(([resource]) => (resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`)).sort()
}
