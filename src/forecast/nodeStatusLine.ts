import type { Node } from '../api/core.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { drainRequest, forceFilePath, nodeAnnotation, nodeState } from '../api/names.ts'
import { drainStartedAnnotation } from '../drain/drainAnnotations.ts'
import type { Held } from '../rollout/decideRollout.ts'
import { isWindows, readinessError } from '../rollout/nodePredicates.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { overdueRebootAnnotation } from '../rollout/overdueReboot.ts'
import type { Ownership } from '../rollout/primaryPool.ts'
import { publishedBlockers } from './publishedBlockers.ts'

export interface NodeStatusLine {
  readonly name: string
  readonly pool: string
  readonly state:
    | 'Done'
    | 'Waiting'
    | 'Draining'
    | 'Updating'
    | 'Rebooting'
    | 'Uncordoning'
    | 'Degraded'
    | 'Unreconcilable'
    | 'Unmanaged'
  readonly ready: boolean
  readonly schedulable: boolean
  readonly config: string
  readonly desired: string
  /** Why the node does not get its pool's config now: a stable word and a sentence. */
  readonly hold?: { readonly reason: string; readonly message: string }
  /** What a person should read about this node, most important first; a hold is not repeated here. */
  readonly messages: readonly string[]
}

export interface NodeFacts {
  readonly node: Node
  readonly ownership: Ownership<MachineConfigPool>
  readonly report: MachineConfigNode | undefined
  readonly hold: Held | undefined
}

export function nodeStatusLine({ node, ownership, report, hold }: NodeFacts): NodeStatusLine {
  const annotations = node.metadata.annotations ?? {}
  const pool = ownership.kind === 'owned' ? ownership.primary : undefined
  const state = nodeStateOf(annotations, pool)
  const messages = [
    ...(isWindows(nodeToView(node)) ? [] : poolMessages(ownership, annotations)),
    ...blockerMessages(annotations, state),
    annotations[overdueRebootAnnotation] ?? '',
    ...(isFailed(state) ? failureMessages(annotations) : []),
    ...(isBusy(state) ? [progressOf(report)] : []),
    ...availabilityMessages(node, state, hold),
  ].filter((message) => message !== '')
  return {
    name: node.metadata.name ?? '',
    pool: pool?.metadata.name ?? '',
    state,
    ready: node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    schedulable: node.spec?.unschedulable !== true,
    config: annotations[nodeAnnotation.currentConfig] ?? '',
    desired: annotations[nodeAnnotation.desiredConfig] ?? '',
    ...(hold && { hold: { reason: hold.reason, message: hold.message } }),
    messages,
  }
}

type Annotations = Readonly<Record<string, string>>

/** What a node does now, as its annotations say it, seen from its pool. */
export function nodeStateOf(annotations: Annotations, pool: MachineConfigPool | undefined): NodeStatusLine['state'] {
  const state = annotations[nodeAnnotation.state] ?? ''
  const current = annotations[nodeAnnotation.currentConfig] ?? ''
  const desired = annotations[nodeAnnotation.desiredConfig] ?? ''
  if (state === nodeState.degraded || state === nodeState.unreconcilable) return state
  if (current === '') return 'Unmanaged'
  if (annotations[nodeAnnotation.postConfigAction] === nodeState.rebooting || state === nodeState.rebooting)
    return 'Rebooting'
  const request = annotations[nodeAnnotation.desiredDrain] ?? ''
  if (request !== (annotations[nodeAnnotation.lastAppliedDrain] ?? '')) {
    return request.startsWith(drainRequest.drainPrefix) ? 'Draining' : 'Uncordoning'
  }
  if (state === nodeState.working) return 'Updating'
  // Where it shall be, but its pool has gone further: it waits for its turn.
  const target = pool?.spec.configuration?.name
  return current === desired && (!target || target === desired) ? 'Done' : 'Waiting'
}

const isFailed = (state: NodeStatusLine['state']): boolean => state === 'Degraded' || state === 'Unreconcilable'
const isBusy = (state: NodeStatusLine['state']): boolean =>
  state === 'Updating' || state === 'Rebooting' || state === 'Uncordoning'

function poolMessages(ownership: Ownership<MachineConfigPool>, annotations: Annotations): string[] {
  switch (ownership.kind) {
    case 'conflict':
    case 'invalid':
      return [ownership.message]
    case 'unmanaged':
      return ['no pool selects this node, so nothing updates it']
    case 'owned': {
      const isSilent = (annotations[nodeAnnotation.currentConfig] ?? '') === ''
      const ignored = ownership.customIgnored
        ? ['it is a control-plane node: the custom pool that selects it is ignored']
        : []
      return isSilent ? [...ignored, 'no node daemon has reported from here yet'] : ignored
    }
    default:
      return ownership satisfies never
  }
}

/** How a daemon's sentence about a changed disk begins, here and in the original. */
export const isDriftReason = (reason: string | undefined): boolean =>
  reason?.startsWith('unexpected on-disk state') === true

/** What was found, and for a changed disk also the two ways out. */
function failureMessages(annotations: Annotations): string[] {
  const reason = annotations[nodeAnnotation.reason] ?? ''
  const isDrift = isDriftReason(reason)
  const remedy = `put it back, or create ${forceFilePath} on the node: everything is then written again, with a reboot`
  return [reason || 'it gives no reason', ...(isDrift ? [remedy] : [])]
}

function blockerMessages(annotations: Annotations, state: NodeStatusLine['state']): string[] {
  const blockers = publishedBlockers(annotations)
  if (blockers) {
    const more = blockers.total - blockers.blockers.length
    return [...blockers.blockers.map(({ message }) => message), ...(more > 0 ? [`and ${more} more pods`] : [])]
  }
  const since = annotations[drainStartedAnnotation]
  return state === 'Draining' && since ? [`its pods are being moved since ${since}; none refuses so far`] : []
}

/** Somebody else's cordon, or a kubelet's trouble: it uses up the pool's budget although nothing is being updated. */
function availabilityMessages(node: Node, state: NodeStatusLine['state'], hold: Held | undefined): string[] {
  if (hold?.reason === 'Cordoned' || hold?.reason === 'NotReady') return []
  const problem = state === 'Done' || state === 'Waiting' ? readinessError(nodeToView(node)) : undefined
  return problem ? [`${problem}; it counts as unavailable`] : []
}

/** What the daemon reports while it works: the condition that is under way. */
function progressOf(report: MachineConfigNode | undefined): string {
  const running = report?.status?.conditions?.filter(({ status }) => status === 'Unknown') ?? []
  const latest = running.toSorted((a, b) => (a.lastTransitionTime < b.lastTransitionTime ? 1 : -1))[0]
  return latest?.message ?? ''
}
