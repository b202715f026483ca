import { Lease } from '../../api/coordination.ts'
import { Node, Pod } from '../../api/core.ts'
import type { Clock } from '../../kube/clock.ts'
import { again, type Controller, own, settled, watching } from '../../kube/controller.ts'
import type { EventRecorder } from '../../kube/events.ts'
import { ignoreGone } from '../../kube/ignoreGone.ts'
import type { Informers } from '../../kube/informers.ts'
import type { KubeApi } from '../../kube/kubeApi.ts'
import { byNode, nodeIndex } from './kubeletFleet.ts'
import { nodeHealth } from './nodeHealth.ts'
import { withCondition } from './podConditions.ts'
import { isReady, keyParts, namespacedKey } from './podStates.ts'
import { leaseNamespace } from './simulatedKubelet.ts'

export interface NodeLifecyclePorts {
  readonly informers: Informers
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  /** Silence of a kubelet after which its node counts as lost. */
  readonly graceMs?: number
}

/** Notices nodes whose kubelet has fallen silent, taints those that are not ready, and takes their pods out of service. */
export function nodeLifecycle({ informers, kube, clock, events, graceMs = 40_000 }: NodeLifecyclePorts): Controller {
  const { cache } = informers
  informers.addIndex(Pod, nodeIndex, byNode)

  async function markPodsUnready(node: string, signal: AbortSignal): Promise<void> {
    for (const pod of cache.byIndex(Pod, nodeIndex, node).filter(isReady)) {
      const unready = {
        type: 'Ready',
        status: 'False',
        reason: 'NodeNotReady',
        message: 'the node is not ready',
      } as const
      const conditions = withCondition(pod.status?.conditions, unready, clock.now())
      const body = { metadata: { resourceVersion: pod.metadata.resourceVersion }, status: { conditions } }
      const key = keyParts(namespacedKey(pod))
      await ignoreGone(kube.patch(Pod, key, { type: 'merge', body }, { subresource: 'status', signal }))
    }
  }

  return {
    name: 'node-lifecycle',
    workers: 4,
    watches: [
      own(Node),
      watching(Lease, ({ now }) => (now?.metadata.namespace === leaseNamespace ? [now.metadata.name ?? ''] : [])),
    ],
    async reconcile(key, signal) {
      const node = cache.get(Node, { name: key })
      if (!node || node.metadata.deletionTimestamp !== undefined) return settled
      const lease = cache.get(Lease, { name: key, namespace: leaseNamespace })
      const health = nodeHealth(node, lease, graceMs, clock.now())
      if (health.conditions.length > 0) {
        const body = { status: { conditions: health.conditions } }
        await ignoreGone(
          kube.patch(Node, { name: key }, { type: 'strategic', body }, { subresource: 'status', signal }),
        )
        events.event(node, 'Normal', 'NodeNotReady', `Node ${key} status is now: NodeNotReady`)
      } else if (health.taints) {
        // Others write taints too: only on the version that was seen, or one of theirs could be lost. After a change of
        // conditions that version is old, and the change brings us back here.
        const body = { metadata: { resourceVersion: node.metadata.resourceVersion }, spec: { taints: health.taints } }
        await ignoreGone(kube.patch(Node, { name: key }, { type: 'merge', body }, { signal }))
      }
      if (!health.isReady) await markPodsUnready(key, signal)
      return health.lookAgainAt ? again(health.lookAgainAt) : settled
    },
  }
}
