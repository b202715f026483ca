import { findCandidates } from '../../../src/rollout/candidates.ts'
import { type Layering, layeringToTarget } from '../../../src/rollout/layering.ts'
import { hasGivenUp, isDoneAt, isReady, isUnavailable } from '../../../src/rollout/nodePredicates.ts'
import { type NodeView, nodeToView } from '../../../src/rollout/nodeView.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, { pool, nodes, maxUnavailable, machineOSConfig, machineOSBuild }) {
    const views: NodeView[] = nodes.map(nodeToView)
    const layered = Boolean(machineOSConfig ?? machineOSBuild)
    const layering: Layering = layered
      ? { kind: 'layered', config: machineOSConfig, build: machineOSBuild }
      : { kind: 'plain' }
    const target = layeringToTarget(layering, pool.spec.configuration.name)
    const { nodes: candidates, capacity } = findCandidates(views, target, maxUnavailable)
    const updated = views.filter((node) => isDoneAt(node, target))
    return {
      candidates: names(candidates),
      capacity,
      layered,
      unavailable: names(views.filter(isUnavailable)),
      updated: names(updated),
      ready: names(updated.filter(isReady)),
      degraded: names(views.filter(hasGivenUp)),
    }
  },
}

const names = (nodes: readonly NodeView[]): string[] => nodes.map(({ name }) => name)
