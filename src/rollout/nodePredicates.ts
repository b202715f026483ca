import { drainRequest, nodeAnnotation, nodeLabel, nodeState } from '../api/names.ts'
import type { NodeView } from './nodeView.ts'
import type { RolloutTarget } from './rolloutTarget.ts'

/**
 * The questions that every rollout decision asks of one node. They read the protocol on the Node object: a daemon's
 * annotations, the kubelet's conditions, the cordon.
 */

/** Why a node cannot take workload, in the words of the original; undefined when it can. The first bad condition wins. */
export function readinessError(node: NodeView): string | undefined {
  for (const { type, status } of node.conditions) {
    if (type === 'Ready' && status !== 'True') return `node ${node.name} is reporting NotReady=${status}`
    if (type === 'DiskPressure' && status !== 'False') return `node ${node.name} is reporting OutOfDisk=${status}`
    if (type === 'NetworkUnavailable' && status !== 'False') {
      return `node ${node.name} is reporting NetworkUnavailable=${status}`
    }
  }
  return node.unschedulable ? `node ${node.name} is reporting Unschedulable` : undefined
}

/** A pass asks every node several times, and between two passes few nodes change: a view is judged once. */
const judged = new WeakMap<NodeView, { readonly ready: boolean; readonly unavailable: boolean }>()

function judge(node: NodeView): { readonly ready: boolean; readonly unavailable: boolean } {
  const known = judged.get(node)
  if (known) return known
  const ready = readinessError(node) === undefined
  const verdict = { ready, unavailable: !ready || (!isNodeDone(node) && !isFailing(node)) }
  judged.set(node, verdict)
  return verdict
}

export const isReady = (node: NodeView): boolean => judge(node).ready

export const isWindows = (node: NodeView): boolean => node.labels[nodeLabel.os] === 'windows'

/** A daemon has run here: it writes its current config first of all. Windows nodes are never ours. */
export const isManaged = (node: NodeView): boolean =>
  !isWindows(node) && (node.annotations[nodeAnnotation.currentConfig] ?? '') !== ''

function isConfigDone({ annotations }: NodeView): boolean {
  const current = annotations[nodeAnnotation.currentConfig] ?? ''
  return current !== '' && current === annotations[nodeAnnotation.desiredConfig]
}

/** An empty image annotation is not an absent one: it marks a first image, or a way back, that is still under way. */
function isImageDone({ annotations }: NodeView): boolean {
  const current = annotations[nodeAnnotation.currentImage]
  const desired = annotations[nodeAnnotation.desiredImage]
  if (current === undefined && desired === undefined) return true
  return current !== undefined && current !== '' && current === desired
}

export const isNodeDone = (node: NodeView): boolean =>
  isConfigDone(node) && isImageDone(node) && node.annotations[nodeAnnotation.state] === nodeState.done

export function isDoneAt(node: NodeView, target: RolloutTarget): boolean {
  return (
    isNodeDone(node) && node.annotations[nodeAnnotation.desiredConfig] === target.config && !needsUpdate(node, target)
  )
}

/** The daemon gave up on an update to another config; such a node may be sent elsewhere. */
export function isFailing(node: NodeView): boolean {
  return (
    hasGivenUp(node) &&
    node.annotations[nodeAnnotation.currentConfig] !== node.annotations[nodeAnnotation.desiredConfig]
  )
}

/** Counts against maxUnavailable: cannot take workload, or is on its way (targeted but not started included). */
export const isUnavailable = (node: NodeView): boolean => judge(node).unavailable

export const isDegraded = (node: NodeView): boolean => node.annotations[nodeAnnotation.state] === nodeState.degraded

export const isUnreconcilable = (node: NodeView): boolean =>
  node.annotations[nodeAnnotation.state] === nodeState.unreconcilable

/** The daemon reports that it cannot go on, for either reason; this is what a pool counts as degraded. */
export const hasGivenUp = (node: NodeView): boolean => isDegraded(node) || isUnreconcilable(node)

/** The node's desired state is not the pool's: it has to be targeted at some time. */
export function needsUpdate({ annotations }: NodeView, target: RolloutTarget): boolean {
  const config = annotations[nodeAnnotation.desiredConfig]
  const image = annotations[nodeAnnotation.desiredImage]
  if (target.kind === 'plain') return config !== target.config || image !== undefined
  return !target.image || !target.buildConfig || config !== target.buildConfig || image !== target.image
}

/** We cordoned this node for an update and have not given it back: `desiredDrain` still says drain. */
export const isDrainedByUs = ({ annotations }: NodeView): boolean =>
  (annotations[nodeAnnotation.desiredDrain] ?? '').startsWith(drainRequest.drainPrefix)

/** A cordon that no drain of ours has made, and that no uncordon is about to take back. */
export const isCordonedByOthers = (node: NodeView): boolean =>
  node.unschedulable &&
  !isDrainedByUs(node) &&
  (node.annotations[nodeAnnotation.desiredDrain] ?? '') === (node.annotations[nodeAnnotation.lastAppliedDrain] ?? '')

/** An update of ours runs on this node, whatever the kubelet says about it. */
export const isInFlight = (node: NodeView): boolean =>
  isManaged(node) && (!isConfigDone(node) || !isImageDone(node) || isDrainedByUs(node))

/** It was told to go elsewhere, and its daemon has not begun: it is away, or a moment behind. */
export const isUnstarted = (node: NodeView): boolean =>
  isInFlight(node) && !isDrainedByUs(node) && node.annotations[nodeAnnotation.state] === nodeState.done
