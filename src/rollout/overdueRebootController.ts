import { Node } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { machineConfigNodeCondition as condition, eventReason, nodeAnnotation } from '../api/names.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, settled, watching } from '../kube/controller.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { nodeToView } from './nodeView.ts'
import { judgeReboot, overdueRebootAnnotation, rebootLimitAnnotation, rebootLimitOf } from './overdueReboot.ts'
import { ownershipOf } from './primaryPool.ts'

export interface OverdueRebootPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
}

const fieldManager = 'overdue-reboot'

/** Tells of nodes that are not back from their reboot in time: an annotation of the Node, events on it and its pool. */
export function overdueRebootController({ cache, kube, clock, events, log }: OverdueRebootPorts): Controller {
  return {
    name: 'overdue-reboot',
    watches: [
      watching(Node, ({ old, now }) => (now && ofNode(old) !== ofNode(now) ? [now.metadata.name ?? ''] : [])),
      watching(MachineConfigNode, ({ old, now }) =>
        now && ofReport(old) !== ofReport(now) ? [now.metadata.name ?? ''] : [],
      ),
      watching(MachineConfigPool, ({ old, now }) =>
        limitText(old) === limitText(now) ? [] : cache.list(Node).map(({ metadata }) => metadata.name ?? ''),
      ),
    ],
    coalesceMs: 100,

    async reconcile(name, signal) {
      const node = cache.get(Node, { name })
      if (!node) return settled
      const limit = rebootLimitOf(poolOf(node)?.metadata.annotations)
      const verdict = judgeReboot(nodeToView(node), cache.get(MachineConfigNode, { name }), limit, clock.now())
      const told = node.metadata.annotations?.[overdueRebootAnnotation]
      const message = verdict.kind === 'overdue' ? verdict.message : undefined
      if (message !== told) {
        const body = { metadata: { annotations: { [overdueRebootAnnotation]: message ?? null } } }
        await kube.patch(Node, { name }, { type: 'merge', body }, { signal, fieldManager })
        // Once for a reboot, and not again when its kubelet comes and goes.
        if (message !== undefined && told === undefined) tell(node, message)
      }
      return verdict.kind === 'underWay' ? again(verdict.until) : settled
    },
  }

  function poolOf(node: Node): MachineConfigPool | undefined {
    const ownership = ownershipOf(nodeToView(node), cache.list(MachineConfigPool))
    return ownership.kind === 'owned' ? ownership.primary : undefined
  }

  function tell(node: Node, message: string): void {
    const name = node.metadata.name ?? ''
    const pool = poolOf(node)
    events.event(node, 'Warning', eventReason.rebootOverdue, message)
    if (pool) events.event(pool, 'Warning', eventReason.rebootOverdue, `node ${name}: ${message}`)
    log.warn('a node is not back from its reboot', { node: name })
  }
}

const limitText = (pool: MachineConfigPool | undefined): string | undefined =>
  pool?.metadata.annotations?.[rebootLimitAnnotation]

const ofNode = (node: Node | undefined): string =>
  JSON.stringify([
    node?.metadata.annotations?.[nodeAnnotation.postConfigAction],
    node?.metadata.annotations?.[overdueRebootAnnotation],
    node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status,
  ])

function ofReport(report: MachineConfigNode | undefined): string {
  const found = report?.status?.conditions?.find(({ type }) => type === condition.rebootedNode)
  return JSON.stringify([found?.status, found?.lastTransitionTime])
}
