import type { Pod } from '../../api/core.ts'
import { podRequests } from '../../drain/whyNowhere.ts'
import { type SchedulerNode, whyNotOn } from './fitNode.ts'

export type Scheduling =
  | { readonly kind: 'bind'; readonly node: string }
  | { readonly kind: 'unschedulable'; readonly message: string }

/** Where a pod goes: the fitting node that is least loaded once the pod is there, the first by name among equals. */
export function schedulePod(pod: Pod, nodes: readonly SchedulerNode[]): Scheduling {
  const counts = new Map<string, number>()
  let best: { readonly node: SchedulerNode; readonly load: number } | undefined
  for (const node of nodes) {
    const reasons = whyNotOn(pod, node)
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
    if (reasons.length > 0) continue
    const load = loadWith(pod, node)
    if (!best || load < best.load || (load === best.load && node.name < best.node.name)) best = { node, load }
  }
  return best
    ? { kind: 'bind', node: best.node.name }
    : { kind: 'unschedulable', message: messageOf(nodes.length, counts) }
}

/** Taints of effect PreferNoSchedule make a node a last resort, whatever its load. */
function loadWith(pod: Pod, { allocatable, used, taints }: SchedulerNode): number {
  const requests = podRequests(pod.spec)
  const loads = ['cpu', 'memory', 'pods'].map((resource) => {
    const room = allocatable[resource] ?? 0n
    return room === 0n ? 0 : Number((((used[resource] ?? 0n) + (requests[resource] ?? 0n)) * 1000n) / room) / 1000
  })
  const avoided = taints.some(({ effect }) => effect === 'PreferNoSchedule') ? 1000 : 0
  return avoided + loads.reduce((sum, load) => sum + load, 0)
}

/** kube-scheduler's FitError: counts with reasons, sorted as text. */
function messageOf(total: number, counts: ReadonlyMap<string, number>): string {
  if (total === 0) return 'no nodes available to schedule pods'
  const reasons = [...counts].map(([reason, count]) => `${count} ${reason}`).sort()
  return `0/${total} nodes are available: ${reasons.join(', ')}.`
}
