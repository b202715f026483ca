import { nodeAnnotation, nodeTaint } from '../api/names.ts'
import type { NodeView, Taint } from './nodeView.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

/**
 * The taints of a node with ours added or removed; undefined when they are right. `UpdateInProgress` asks the scheduler
 * to prefer nodes that have their turn behind them, so that a pod is not evicted twice.
 */
export function updateTaint(node: NodeView, target: RolloutTarget): readonly Taint[] | undefined {
  const others = node.taints.filter((taint) => !isOurs(taint))
  const isTainted = others.length < node.taints.length
  if (isTargeted(node, target)) return isTainted ? others : undefined
  return isTainted ? undefined : [...others, { key: nodeTaint.updateInProgress, effect: 'PreferNoSchedule' }]
}

const isOurs = ({ key, effect }: Taint): boolean => key === nodeTaint.updateInProgress && effect === 'PreferNoSchedule'

function isTargeted({ annotations }: NodeView, target: RolloutTarget): boolean {
  const config = annotations[nodeAnnotation.desiredConfig]
  const desiredImage = annotations[nodeAnnotation.desiredImage]
  if (target.kind === 'layered') return config === target.buildConfig && desiredImage === target.image
  const keepsImage = desiredImage !== undefined && annotations[nodeAnnotation.currentImage] !== undefined
  return config === target.config && !keepsImage
}
