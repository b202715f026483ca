import type { Node, Pod } from '../api/core.ts'
import { isDrainedByUs, isReady } from '../rollout/nodePredicates.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { type HostView, nanos, podRequests } from './whyNowhere.ts'

/** Every node as the scheduler would find it, with what its pods leave free. */
export function hostViews(nodes: readonly Node[], podsOn: (node: string) => readonly Pod[]): readonly HostView[] {
  return nodes.map((node) => {
    const view = nodeToView(node)
    return {
      name: view.name,
      labels: view.labels,
      taints: node.spec?.taints ?? [],
      unschedulable: view.unschedulable,
      // The cordon has a reason of its own.
      ready: isReady({ ...view, unschedulable: false }),
      beingDrained: isDrainedByUs(view),
      free: freeOn(node, podsOn(view.name)),
    }
  })
}

function freeOn(node: Node, pods: readonly Pod[]): Readonly<Record<string, bigint>> {
  const free: Record<string, bigint> = {}
  for (const [resource, amount] of Object.entries(node.status?.allocatable ?? {})) free[resource] = nanos(amount)
  for (const { spec, status } of pods) {
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') continue
    for (const [resource, amount] of Object.entries(podRequests(spec))) {
      const left = free[resource]
      if (left !== undefined) free[resource] = left - amount
    }
  }
  return free
}
