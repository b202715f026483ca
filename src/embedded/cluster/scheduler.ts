import { Node, Pod, type PodCondition } from '../../api/core.ts'
import { defineKind } from '../../api/kind.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import { nanos } from '../../drain/whyNowhere.ts'
import type { Clock } from '../../kube/clock.ts'
import { type Controller, settled, watching } from '../../kube/controller.ts'
import type { EventRecorder } from '../../kube/events.ts'
import type { Informers } from '../../kube/informers.ts'
import { isConflict, isNotFound, type KubeApi } from '../../kube/kubeApi.ts'
import type { SchedulerNode } from './fitNode.ts'
import { NodeUsage } from './nodeUsage.ts'
import { withCondition } from './podConditions.ts'
import { isActive, isFinished, keyParts, namespacedKey, nodeOf } from './podStates.ts'
import { schedulePod } from './schedulePod.ts'

export interface SchedulerPorts {
  readonly informers: Informers
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
}

interface Binding extends KubernetesObject {
  readonly target: { readonly apiVersion: string; readonly kind: string; readonly name: string }
}
const Binding = defineKind<Binding>('', 'v1', 'Binding', 'bindings', { namespaced: true })

/** Index of the pods that wait for a node. */
const waitingIndex = 'scheduler/waiting'

/** Puts pods on nodes, one after the other, as kube-scheduler does with its default filters. */
export function scheduler({ informers, kube, clock, events }: SchedulerPorts): Controller {
  const { cache } = informers
  const usage = new NodeUsage()
  const views = new WeakMap<Node, SchedulerNode>()
  informers.addIndex(Pod, waitingIndex, (pod) => (isWaiting(pod) ? ['all'] : []))
  informers.subscribe(Pod, ({ old, now }) => {
    if (now) usage.set(now)
    else if (old) usage.remove(old)
  })
  const waitingKeys = () => cache.byIndex(Pod, waitingIndex, 'all').map(namespacedKey)

  function viewOf(node: Node): SchedulerNode {
    const known = views.get(node)
    if (known) return known
    const view = nodeView(node, usage)
    views.set(node, view)
    return view
  }

  return {
    name: 'scheduler',
    watches: [
      watching(Pod, ({ old, now }) => {
        const freed = old && nodeOf(old) !== '' && (!now || (isFinished(now) && !isFinished(old)))
        return [
          ...(now && isWaiting(now) ? [namespacedKey(now)] : []),
          ...(freed && informers.hasSynced(Pod) ? waitingKeys() : []),
        ]
      }),
      watching(Node, ({ now }) => (now && informers.hasSynced(Pod) ? waitingKeys() : [])),
    ],
    async reconcile(key, signal) {
      const pod = cache.get(Pod, keyParts(key))
      if (!pod || !isWaiting(pod)) return settled
      const decision = schedulePod(pod, cache.list(Node).map(viewOf))
      try {
        if (decision.kind === 'bind') {
          await bind(pod, decision.node, signal)
          events.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${key} to ${decision.node}`)
        } else {
          await report(pod, decision.message, signal)
        }
      } catch (error) {
        // Deleted, or placed by somebody else, since the cache was read: the watch tells.
        if (!isNotFound(error) && !isConflict(error)) throw error
      }
      return settled
    },
  }

  async function bind(pod: Pod, node: string, signal: AbortSignal): Promise<void> {
    const { name = '', namespace = '' } = pod.metadata
    const target = { apiVersion: 'v1', kind: 'Node', name: node }
    await kube.create(Binding, { metadata: { name, namespace }, target }, { signal })
    usage.set(pod, node)
  }

  async function report(pod: Pod, message: string, signal: AbortSignal): Promise<void> {
    const refusal: PodCondition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
    const conditions = withCondition(pod.status?.conditions, refusal, clock.now())
    if (!conditions) return
    const body = { status: { conditions } }
    await kube.patch(Pod, keyParts(namespacedKey(pod)), { type: 'merge', body }, { subresource: 'status', signal })
    events.event(pod, 'Warning', 'FailedScheduling', message)
  }
}

function isWaiting(pod: Pod): boolean {
  return isActive(pod) && nodeOf(pod) === ''
}

/** Made once per version of the node; what is used is looked up each time. */
function nodeView({ metadata, spec, status }: Node, usage: NodeUsage): SchedulerNode {
  const allocatable = Object.entries(status?.allocatable ?? {}).map(([resource, amount]) => [resource, nanos(amount)])
  const name = metadata.name ?? ''
  return {
    name,
    labels: metadata.labels ?? {},
    taints: spec?.taints ?? [],
    unschedulable: spec?.unschedulable === true,
    allocatable: Object.fromEntries(allocatable),
    get used() {
      return usage.on(name)
    },
  }
}
