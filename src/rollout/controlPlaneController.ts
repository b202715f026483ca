import { Scheduler } from '../api/config.ts'
import { Node } from '../api/core.ts'
import { nodeLabel, singletonName } from '../api/names.ts'
import { type Cache, type Controller, settled, watching } from '../kube/controller.ts'
import { Retryable } from '../kube/errors.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { controlPlaneChange } from './controlPlaneNode.ts'
import { nodeToView } from './nodeView.ts'

export interface ControlPlanePorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly log: Log
}

/** Keeps the role labels and, where the cluster says so, the schedulability of control plane nodes. */
export function controlPlaneController({ cache, kube, log }: ControlPlanePorts): Controller {
  return {
    name: 'control-plane',
    watches: [
      watching(Node, ({ old, now }) => (now && whatCounts(old) !== whatCounts(now) ? [now.metadata.name ?? ''] : [])),
      watching(Scheduler, ({ old, now }) => {
        // A Scheduler object that is deleted leaves the nodes as they are: whoever removed it decides.
        return now && old?.spec?.mastersSchedulable !== now.spec?.mastersSchedulable ? controlPlaneNames(cache) : []
      }),
    ],
    coalesceMs: 100,

    async reconcile(key, signal) {
      const node = cache.get(Node, { name: key })
      if (!node) return settled
      const scheduler = cache.get(Scheduler, { name: singletonName.clusterSettings })
      const change = controlPlaneChange(nodeToView(node), scheduler)
      if (!change) return settled
      // A list is replaced whole, so the node must be the one that the list was computed from.
      const version = node.metadata.resourceVersion
      const body = {
        metadata: { ...(version && { resourceVersion: version }), ...(change.labels && { labels: change.labels }) },
        ...(change.taints && { spec: { taints: change.taints.length > 0 ? change.taints : null } }),
      }
      await kube.patch(Node, { name: key }, { type: 'strategic', body }, { signal, fieldManager: 'control-plane' })
      log.info('a control plane node was labelled or tainted', {
        node: key,
        labels: change.labels,
        taints: change.taints,
      })
      return settled
    },
  }
}

const whatCounts = (node: Node | undefined): string => JSON.stringify([node?.metadata.labels, node?.spec?.taints])

/** Before Nodes are known completely none is missed: each comes as an add of its own. */
function controlPlaneNames(cache: Cache): string[] {
  try {
    return cache
      .list(Node)
      .filter(({ metadata: { labels = {} } }) => nodeLabel.master in labels || nodeLabel.controlPlane in labels)
      .map(({ metadata }) => metadata.name ?? '')
  } catch (error) {
    if (error instanceof Retryable) return []
    throw error
  }
}
