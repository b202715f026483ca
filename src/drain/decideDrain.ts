import type { Pod } from '../api/core.ts'
import { drainRequest, nodeAnnotation } from '../api/names.ts'
import type { PodDisruptionBudget } from '../api/policy.ts'
import type { NodeView } from '../rollout/nodeView.ts'
import { type AttemptPhase, phaseAt, thresholdMs } from './attemptSchedule.ts'
import { classifyPod } from './classifyPod.ts'
import { drainRequestAnnotation, drainStartedAnnotation } from './drainAnnotations.ts'
import {
  type Blocker,
  budgetsOf,
  isHeldByFinalizers,
  type Refusal,
  refusedPod,
  terminatingPod,
} from './drainBlockers.ts'
import type { DrainPolicy } from './drainPolicy.ts'
import { type HostView, whyNowhere } from './whyNowhere.ts'

export interface DrainSnapshot {
  readonly node: NodeView
  /** The pods on this node. */
  readonly pods: readonly Pod[]
  readonly budgets: readonly PodDisruptionBudget[]
  readonly daemonSetExists: (namespace: string, name: string) => boolean
  /** Asked only for pods that were refused: it looks at every node. */
  readonly hosts: () => readonly HostView[]
  /** The last refusal of each pod, by uid. Losing it costs one early try, no more. */
  readonly refusals: ReadonlyMap<string, Refusal>
  readonly policy: DrainPolicy
}

interface SkippedPod {
  readonly namespace: string
  readonly pod: string
  readonly reason: string
  readonly message: string
}

export type DrainStep =
  /** Nothing is asked, or what was asked is done. */
  | { readonly kind: 'idle' }
  /** The request is no drain and no uncordon: a person must correct the annotation. */
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'cordon'; readonly request: string; readonly startedAt: string }
  | { readonly kind: 'uncordon'; readonly request: string }
  /** All pods are gone: check against the API server, then tell the daemon. */
  | { readonly kind: 'acknowledge'; readonly request: string; readonly skipped: readonly SkippedPod[] }
  /** Whom to spare cannot be read: nobody is evicted before it can. */
  | { readonly kind: 'held'; readonly request: string; readonly message: string }
  | DrainProgress

export interface DrainProgress {
  readonly kind: 'drain'
  readonly request: string
  readonly startedAt: string
  readonly elapsedMs: number
  readonly attempt: AttemptPhase
  /** To be evicted now, all at once. */
  readonly evict: readonly Pod[]
  /** To be deleted now, against their budget: the pool's policy says so. */
  readonly force: readonly Pod[]
  readonly skipped: readonly SkippedPod[]
  readonly blockers: readonly Blocker[]
  /** Look again at this time, if nothing happens before. */
  readonly until: Date
  /** The drain has been failing for ten minutes. */
  readonly isSlow: boolean
  /** The drain has exceeded its timeout; it goes on. */
  readonly isOverdue: boolean
}

/** The next step of a node's drain or uncordon, from what the API server knows. */
export function decideDrain(snapshot: DrainSnapshot, now: Date): DrainStep {
  const { annotations, unschedulable, name } = snapshot.node
  const request = annotations[nodeAnnotation.desiredDrain] ?? ''
  const isUncordon = request.startsWith(drainRequest.uncordonPrefix)
  // A drain that was withdrawn before it was granted: the daemon asks for the very uncordon that ended its last update,
  // and the old answer to that is still there. Our own marks say that the node has been cordoned since.
  const isWithdrawn = isUncordon && annotations[drainRequestAnnotation] !== undefined
  if (request === (annotations[nodeAnnotation.lastAppliedDrain] ?? '') && !isWithdrawn) return { kind: 'idle' }
  if (isUncordon) return { kind: 'uncordon', request }
  if (!request.startsWith(drainRequest.drainPrefix)) {
    const verb = request.split('-')[0] ?? ''
    return { kind: 'invalid', message: `node ${name}: non-recognized drain verb detected ${verb}` }
  }
  const startedAt = startOf(snapshot.node, request) ?? now.toISOString()
  // An uncordon by hand during the drain is taken back, and does not restart the clock.
  if (!unschedulable || startedAt !== annotations[drainStartedAnnotation]) return { kind: 'cordon', request, startedAt }
  const { hold } = snapshot.policy
  if (hold !== undefined) return { kind: 'held', request, message: hold }
  return drain(snapshot, request, startedAt, now)
}

function startOf({ annotations }: NodeView, request: string): string | undefined {
  const started = annotations[drainStartedAnnotation]
  const isOurs = annotations[drainRequestAnnotation] === request
  return isOurs && started !== undefined && !Number.isNaN(Date.parse(started)) ? started : undefined
}

function drain(snapshot: DrainSnapshot, request: string, startedAt: string, now: Date): DrainStep {
  const verdicts = snapshot.pods.map((pod) => ({
    pod,
    verdict: classifyPod(pod, snapshot.daemonSetExists, snapshot.policy.skip),
  }))
  const skipped = verdicts.flatMap(({ pod, verdict }) =>
    verdict.kind === 'skip' ? [{ ...idOf(pod), reason: verdict.reason, message: verdict.message }] : [],
  )
  const evictable = verdicts.filter(({ verdict }) => verdict.kind === 'evict').map(({ pod }) => pod)
  const ending = verdicts.filter(({ verdict }) => verdict.kind === 'terminating').map(({ pod }) => pod)
  if (evictable.length + ending.length === 0) return { kind: 'acknowledge', request, skipped }

  const nowMs = now.getTime()
  const startMs = Date.parse(startedAt)
  const elapsedMs = nowMs - startMs
  const attempt = phaseAt(elapsedMs)
  const { policy } = snapshot
  const mayForce = policy.forceAfterMs !== undefined && elapsedMs >= policy.forceAfterMs
  const due = evictable.filter((pod) => isDue(pod, snapshot, attempt, nowMs))
  const force = mayForce ? due.filter((pod) => snapshot.refusals.get(uidOf(pod))?.isBudget) : []
  const evict = due.filter((pod) => !force.includes(pod))
  const waits = [
    startMs + attempt.endsMs,
    ...[thresholdMs, policy.timeoutMs, policy.forceAfterMs ?? Number.NaN].map((ms) => startMs + ms),
    // During a rest no refused pod is tried again by the clock, only by a change of its budget.
    ...(attempt.kind === 'attempt'
      ? evictable.map((pod) => snapshot.refusals.get(uidOf(pod))?.retryAtMs ?? Number.NaN)
      : []),
    ...ending.map(graceEndMs),
  ].filter((ms) => ms > nowMs)
  return {
    kind: 'drain',
    request,
    startedAt,
    elapsedMs,
    attempt,
    evict,
    force,
    skipped,
    blockers: blockersOf(snapshot, evictable, ending, nowMs),
    until: new Date(Math.min(...waits)),
    isSlow: elapsedMs >= thresholdMs,
    isOverdue: elapsedMs >= policy.timeoutMs,
  }
}

/**
 * A pod that was not refused yet is always due. A refused one is tried again when its time has come during an attempt,
 * and at once, also during a rest, when its budgets have come to allow it, or only one is left of several.
 */
function isDue(pod: Pod, { refusals, budgets }: DrainSnapshot, attempt: AttemptPhase, nowMs: number): boolean {
  const refusal = refusals.get(uidOf(pod))
  if (!refusal) return true
  if (attempt.kind === 'attempt' && nowMs >= refusal.retryAtMs) return true
  const matching = budgetsOf(pod, budgets)
  const isFreed = matching.length === 0 || matching.every(({ status }) => (status?.disruptionsAllowed ?? 0) > 0)
  return refusal.isBudget ? isFreed : (refusal.budgetCount ?? 0) > 1 && matching.length <= 1
}

function blockersOf(
  { refusals, budgets, hosts }: DrainSnapshot,
  evictable: readonly Pod[],
  ending: readonly Pod[],
  nowMs: number,
): readonly Blocker[] {
  const refused = evictable.flatMap((pod) => {
    const refusal = refusals.get(uidOf(pod))
    return refusal ? [{ pod, refusal }] : []
  })
  const all = refused.some(({ refusal }) => refusal.isBudget) ? hosts() : []
  const byRefusal = refused.map(({ pod, refusal }) =>
    refusedPod(pod, refusal, budgets, refusal.isBudget ? whyNowhere(pod.spec, all) : undefined),
  )
  const overdue = ending.filter((pod) => graceEndMs(pod) <= nowMs || isHeldByFinalizers(pod))
  return [...byRefusal, ...overdue.map(terminatingPod)].sort((a, b) => (idText(a) < idText(b) ? -1 : 1))
}

/** The deletion time already includes the pod's grace period; a little more is the kubelet's to report. */
const graceEndMs = ({ metadata }: Pod): number => Date.parse(metadata.deletionTimestamp ?? '') + 10_000

const idText = ({ namespace, pod }: { readonly namespace: string; readonly pod: string }): string =>
  `${namespace}/${pod}`

const idOf = ({ metadata }: Pod) => ({ namespace: metadata.namespace ?? '', pod: metadata.name ?? '' })

export const uidOf = ({ metadata }: Pod): string => metadata.uid ?? `${metadata.namespace}/${metadata.name}`
