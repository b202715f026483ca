import { Node, Pod } from '../../api/core.ts'
import type { Clock } from '../../kube/clock.ts'
import { again, type Controller, own, settled, watching } from '../../kube/controller.ts'
import { ignoreGone } from '../../kube/ignoreGone.ts'
import type { Informers } from '../../kube/informers.ts'
import type { KubeApi } from '../../kube/kubeApi.ts'
import { nextPodStep, type PodTimings } from './podLifecycle.ts'
import { keyParts, namespacedKey, nodeOf } from './podStates.ts'
import type { SimulatedKubelet } from './simulatedKubelet.ts'

/** Index of pods by the node that runs them. */
export const nodeIndex = 'cluster/node'

export const byNode = (pod: Pod): readonly string[] => (nodeOf(pod) === '' ? [] : [nodeOf(pod)])

export interface FleetPorts {
  readonly informers: Informers
  readonly kube: KubeApi
  readonly clock: Clock
  readonly kubelets: ReadonlyMap<string, SimulatedKubelet>
  readonly timings: PodTimings
}

/**
 * Runs the pods of all simulated nodes in one loop over one shared cache: a thousand kubelets cost one watch. A node
 * that reboots or has stopped does nothing for its pods; its boot brings all of them up again.
 */
export function kubeletPods({ informers, kube, clock, kubelets, timings }: FleetPorts): Controller {
  const { cache } = informers
  informers.addIndex(Pod, nodeIndex, byNode)
  return {
    name: 'kubelet-pods',
    workers: 16,
    watches: [
      watching(Pod, ({ now }) => (now && kubelets.has(nodeOf(now)) ? [namespacedKey(now)] : [])),
      watching(Node, ({ old, now }) => {
        const name = now?.metadata.name ?? ''
        const isSame = bootOf(old) === bootOf(now)
        return isSame || !informers.hasSynced(Pod) ? [] : cache.byIndex(Pod, nodeIndex, name).map(namespacedKey)
      }),
    ],
    async reconcile(key, signal) {
      const pod = cache.get(Pod, keyParts(key))
      const kubelet = pod && kubelets.get(nodeOf(pod))
      if (!pod || kubelet?.state !== 'running') return settled
      const step = nextPodStep(pod, kubelet, timings, clock.now())
      switch (step.kind) {
        case 'none':
          return settled
        case 'wait':
          return again(step.at)
        case 'write':
          await ignoreGone(writeStatus(pod, step.status, signal))
          return settled
        case 'remove':
          await ignoreGone(remove(pod, signal))
          return settled
        default:
          return step satisfies never
      }
    },
  }

  /** With the version that was seen: a decision on an old state must not undo a newer one. */
  async function writeStatus(pod: Pod, status: object, signal: AbortSignal): Promise<void> {
    const { resourceVersion, name = '', namespace = '' } = pod.metadata
    const body = { metadata: { resourceVersion }, status }
    await kube.patch(Pod, { name, namespace }, { type: 'merge', body }, { subresource: 'status', signal })
  }

  async function remove(pod: Pod, signal: AbortSignal): Promise<void> {
    const { uid = '', name = '', namespace = '' } = pod.metadata
    await kube.delete(Pod, { name, namespace }, { gracePeriodSeconds: 0, preconditions: { uid }, signal })
  }
}

/** Renews leases and Ready conditions of all simulated nodes, each in its own turn. */
export function kubeletHeartbeats({ informers, kubelets }: Pick<FleetPorts, 'informers' | 'kubelets'>): Controller {
  return {
    name: 'kubelet-heartbeats',
    workers: 16,
    watches: [own(Node)],
    async reconcile(key, signal) {
      const node = informers.cache.get(Node, { name: key })
      const next = node && (await kubelets.get(key)?.heartbeat(node, signal))
      return next ? again(next) : settled
    },
  }
}

/** What makes a kubelet look at all its pods: a boot, and being ready again. */
function bootOf(node: Node | undefined): string {
  const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? ''
  return `${node?.status?.nodeInfo?.bootID ?? ''} ${ready}`
}
