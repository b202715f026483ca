import { isFailing, isReady, isUnavailable, needsUpdate } from './nodePredicates.ts'
import type { NodeView } from './nodeView.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

export interface Candidates {
  /** Nodes that may be targeted, in the order given; usually more than fit. */
  readonly nodes: readonly NodeView[]
  /** How many of them may be targeted now. */
  readonly capacity: number
}

/**
 * Which nodes may be updated, and how many of them now. Unavailable nodes use up the budget; so do nodes that failed
 * this very target, so that a config that breaks the first nodes stops there. A node that is not Ready is never
 * chosen: an administrator may have cordoned it on purpose.
 */
export function findCandidates(nodes: readonly NodeView[], target: RolloutTarget, maxUnavailable: number): Candidates {
  const unavailable = nodes.filter(isUnavailable).length
  if (unavailable >= maxUnavailable) return none
  const failingHere = nodes.filter((node) => !needsUpdate(node, target) && isFailing(node)).length
  const capacity = maxUnavailable - unavailable - failingHere
  if (capacity <= 0) return none
  return { nodes: nodes.filter((node) => needsUpdate(node, target) && isReady(node)), capacity }
}

const none: Candidates = { nodes: [], capacity: 0 }
