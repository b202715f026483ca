import { nodeAnnotation } from '../api/names.ts'
import { findCandidates } from './candidates.ts'
import { rankNodes } from './nodeOrder.ts'
import {
  hasGivenUp,
  isCordonedByOthers,
  isDrainedByUs,
  isFailing,
  isInFlight,
  isManaged,
  isReady,
  isUnavailable,
  isUnstarted,
  needsUpdate,
  readinessError,
} from './nodePredicates.ts'
import type { NodeView } from './nodeView.ts'
import { describeTarget, type RolloutTarget } from './rolloutTarget.ts'

/** Why a node that needs the pool's config does not get it now. Stable words, for programs. */
export type HoldReason =
  | 'Paused'
  | 'ImageNotReady'
  | 'InvalidMaxUnavailable'
  | 'ControlPlaneBusy'
  | 'ArbiterBusy'
  | 'Updating'
  | 'Cordoned'
  | 'NotReady'
  | 'OperatorNode'
  | 'BootPoolLabels'
  | 'AtCapacity'

export interface Held {
  readonly node: string
  readonly reason: HoldReason
  readonly message: string
}

export interface RolloutPlan {
  /** Nodes to target now. */
  readonly move: readonly string[]
  /** Nodes that need the target and wait, each with the reason. */
  readonly hold: readonly Held[]
  /** The candidate left out of this round because the operator runs there. */
  readonly deferred?: string
}

export interface RolloutPool {
  readonly target: RolloutTarget
  readonly maxUnavailable: number
  /** The config that the whole pool ran last: a target equal to it is a way back. */
  readonly lastCompleted?: string
}

export interface RolloutOptions {
  /** Nothing moves, whatever the nodes say. */
  readonly closed?: { readonly reason: HoldReason; readonly message: string }
  /** Runs the operator: it moves last, so that versions do not flap during an upgrade. */
  readonly operatorNode?: string
  /** Nodes that are about to change pool by the labels of the pool they booted with. */
  readonly relabelled?: ReadonlySet<string>
}

/**
 * Which nodes start moving to the pool's target now. At most `maxUnavailable` nodes are disrupted at a time, counted
 * from what the nodes say, whoever disrupted them. Every node that waits has its reason.
 */
export function decideRollout(
  pool: RolloutPool,
  nodes: readonly NodeView[],
  { closed, operatorNode, relabelled = new Set() }: RolloutOptions = {},
): RolloutPlan {
  const waiting = nodes.filter((node) => needsUpdate(node, pool.target))
  if (closed) return { move: [], hold: waiting.map(({ name }) => ({ node: name, ...closed })) }
  const { nodes: found, capacity } = findCandidates(nodes, pool.target, pool.maxUnavailable)
  const staying = found.filter(({ name }) => !relabelled.has(name))
  const deferred = staying.length > 1 && staying.some(({ name }) => name === operatorNode) ? operatorNode : undefined
  const eligible = staying.filter(({ name }) => name !== deferred)
  const chosen = eligible.length > capacity ? rankNodes(eligible).slice(0, capacity) : eligible
  const regained = regain(pool, nodes, chosen)
  const move = [...chosen, ...regained].map(({ name }) => name)
  const moving = new Set(move)
  const full = describeBudget(pool, nodes, move)
  const hold = waiting
    .filter(({ name }) => !moving.has(name))
    .map((node) => ({ node: node.name, ...whyHeld(node, pool.target, full, { deferred, relabelled }) }))
  return { move, hold, ...(deferred !== undefined && { deferred }) }
}

/**
 * Nodes that no budget lets move and that yet must hear of the new target, or a way back never reaches them. Our own
 * cordon, an update under way, and an order that no daemon has begun to follow make no node more unavailable than it is,
 * so these cost nothing. A settled node that is not Ready follows when the pool goes back to its last completed config,
 * when it got its config after that one and so may be broken by it, or when no other node is left to move; together with
 * the updates under way never more than the budget.
 */
function regain(pool: RolloutPool, nodes: readonly NodeView[], chosen: readonly NodeView[]): readonly NodeView[] {
  const behind = nodes.filter((node) => needsUpdate(node, pool.target) && isManaged(node) && !chosen.includes(node))
  const lost = behind.filter((node) => !isReady(node) || isUnstarted(node))
  const ours = lost.filter((node) => !node.unschedulable || isDrainedByUs(node))
  const running = ours.filter(isInFlight)
  const settled = ours.filter((node) => !isInFlight(node))
  const isRevert = pool.target.config === pool.lastCompleted
  const othersLeft = nodes.some((node) => needsUpdate(node, pool.target) && isReady(node))
  const due = isRevert || !othersLeft ? settled : settled.filter((node) => isPast(node, pool.lastCompleted))
  const inFlight = new Set([...nodes.filter(isInFlight), ...chosen].map(({ name }) => name))
  const free = Math.max(0, pool.maxUnavailable - inFlight.size)
  return [...running, ...rankNodes(due).slice(0, free)]
}

/** It runs a config that the whole pool never ran. */
const isPast = ({ annotations }: NodeView, lastCompleted: string | undefined): boolean =>
  lastCompleted !== undefined && annotations[nodeAnnotation.currentConfig] !== lastCompleted

interface Circumstances {
  readonly deferred: string | undefined
  readonly relabelled: ReadonlySet<string>
}

function whyHeld(
  node: NodeView,
  target: RolloutTarget,
  full: string,
  { deferred, relabelled }: Circumstances,
): { readonly reason: HoldReason; readonly message: string } {
  if (relabelled.has(node.name)) {
    return { reason: 'BootPoolLabels', message: 'the node gets the labels of the custom pool that it booted with' }
  }
  if (node.name === deferred) {
    return { reason: 'OperatorNode', message: 'the operator runs on this node, which therefore moves last' }
  }
  if (isCordonedByOthers(node)) {
    return { reason: 'Cordoned', message: 'the node was cordoned by somebody else; uncordon it to let it update' }
  }
  const unready = readinessError(node)
  if (unready) return { reason: 'NotReady', message: `${unready}; it moves when it is ready again` }
  if (isInFlight(node) && !isFailing(node)) {
    return { reason: 'Updating', message: `an earlier update still runs; then follows ${describeTarget(target)}` }
  }
  return { reason: 'AtCapacity', message: full }
}

/** What uses the budget up, by cause: a person repairs a node that failed differently from one that is only busy. */
function describeBudget(
  { target, maxUnavailable }: RolloutPool,
  nodes: readonly NodeView[],
  moving: readonly string[],
): string {
  const failed = nodes.filter((node) => isFailing(node) && !needsUpdate(node, target)).map(({ name }) => name)
  const degraded = nodes.filter((node) => isUnavailable(node) && hasGivenUp(node)).map(({ name }) => name)
  const isBusy = (node: NodeView) => moving.includes(node.name) || (isUnavailable(node) && !hasGivenUp(node))
  const busy = nodes.filter(isBusy).map(({ name }) => name)
  const causes = [
    ...(failed.length > 0 ? [`failed to apply ${describeTarget(target)}: ${firstOf(failed)}`] : []),
    ...(degraded.length > 0 ? [`degraded: ${firstOf(degraded)}`] : []),
    ...(busy.length > 0 ? [`updating or unavailable: ${firstOf(busy)}`] : []),
  ]
  const limit = `at most ${maxUnavailable} of ${nodes.length} nodes may be unavailable at once`
  return [limit, ...causes].join('; ')
}

const firstOf = (names: readonly string[]): string =>
  names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '')
