import { type Layering, layeringToTarget } from '../../../src/rollout/layering.ts'
import {
  isDegraded,
  isDoneAt,
  isFailing,
  isManaged,
  isNodeDone,
  isUnavailable,
  isUnreconcilable,
  isWindows,
  needsUpdate,
  readinessError,
} from '../../../src/rollout/nodePredicates.ts'
import { nodeToView } from '../../../src/rollout/nodeView.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, input) {
    const node = nodeToView(input.node)
    const layered = Boolean(input.machineOSConfig ?? input.machineOSBuild)
    const layering: Layering = layered
      ? { kind: 'layered', config: input.machineOSConfig, build: input.machineOSBuild }
      : { kind: 'plain' }
    const target = layeringToTarget(layering, input.target)
    return {
      managed: isManaged(node),
      done: isNodeDone(node),
      doneAtTarget: isDoneAt(node, target),
      failing: isFailing(node),
      readyError: readinessError(node) ?? null,
      unavailable: isUnavailable(node),
      degraded: isDegraded(node),
      unreconcilable: isUnreconcilable(node),
      windows: isWindows(node),
      layered,
      candidate: needsUpdate(node, target),
    }
  },
}
