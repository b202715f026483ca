import type { Pod } from '../api/core.ts'
import type { PodDisruptionBudget } from '../api/policy.ts'
import { labelSelectorToQuery, matchesLabels } from '../api/selectors.ts'
import { describePlacement, type Placement } from './whyNowhere.ts'

/** One pod that keeps a node from being drained. */
export interface Blocker {
  readonly namespace: string
  readonly pod: string
  readonly reason: 'DisruptionBudget' | 'Terminating' | 'EvictionFailed'
  readonly budget?: {
    readonly name: string
    readonly disruptionsAllowed: number
    readonly currentHealthy: number
    readonly desiredHealthy: number
  }
  /** Why no other node can take a replacement, or that one can. */
  readonly placement?: string
  /** What the API server answered, for a failure that no budget explains. */
  readonly error?: string
  /** Of a pod that does not end. */
  readonly finalizers?: readonly string[]
  readonly terminatingSince?: string
  /** The same, as a sentence. */
  readonly message: string
}

/** The value of the `machineconfig.io/drain-blockers` annotation. */
export interface DrainBlockers {
  readonly since: string
  readonly attempts: number
  readonly total: number
  /** The first ten. */
  readonly blockers: readonly Blocker[]
}

export interface Refusal {
  /** Nothing is tried before. */
  readonly retryAtMs: number
  readonly error: string
  /** HTTP 429: a budget said no. */
  readonly isBudget: boolean
  /** How many budgets protected the pod then; with more than one the API server evicts it never. */
  readonly budgetCount?: number
}

export function refusedPod(
  pod: Pod,
  refusal: Refusal,
  budgets: readonly PodDisruptionBudget[],
  placement: Placement | undefined,
): Blocker {
  const id = { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name ?? '' }
  const where = `pod ${id.namespace}/${id.pod} cannot be evicted`
  const matching = budgetsOf(pod, budgets)
  if (!refusal.isBudget) {
    const names = matching.map(({ metadata }) => metadata.name ?? '').sort()
    const remedy = `${names.length} PodDisruptionBudgets select it (${names.join(', ')}); leave it one of them`
    const why = names.length > 1 ? remedy : refusal.error
    return { ...id, reason: 'EvictionFailed', error: refusal.error, message: `${where}: ${why}` }
  }
  const exhausted = matching.find(({ status }) => (status?.disruptionsAllowed ?? 0) <= 0) ?? matching[0]
  const text = placement ? describePlacement(placement) : undefined
  const place = text && placement?.fits === 0 ? `; no node can take a replacement: ${text}` : text ? `; ${text}` : ''
  if (!exhausted)
    return { ...id, reason: 'DisruptionBudget', error: refusal.error, message: `${where}: ${refusal.error}${place}` }
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = exhausted.status ?? {}
  const name = exhausted.metadata.name ?? ''
  const state = `allows ${disruptionsAllowed} disruptions (${currentHealthy} healthy, ${desiredHealthy} required)`
  return {
    ...id,
    reason: 'DisruptionBudget',
    budget: { name, disruptionsAllowed, currentHealthy, desiredHealthy },
    ...(text && { placement: text }),
    message: `${where}: PodDisruptionBudget ${name} ${state}${place}`,
  }
}

/** The kubelet is done with it; what is left to do is not the node's. */
export function isHeldByFinalizers({ metadata, status }: Pod): boolean {
  const hasEnded = metadata.deletionGracePeriodSeconds === 0 || isFinished(status?.phase)
  return hasEnded && (metadata.finalizers ?? []).length > 0
}

const isFinished = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed'

export function terminatingPod(object: Pod): Blocker {
  const { metadata } = object
  const [namespace, pod] = [metadata.namespace ?? '', metadata.name ?? '']
  const finalizers = metadata.finalizers ?? []
  const held = finalizers.length > 0 ? `, held by finalizers ${finalizers.join(', ')}` : ''
  const since = metadata.deletionTimestamp ?? ''
  const what = isHeldByFinalizers(object) ? `has ended` : `was to end by ${since} and still runs`
  return {
    namespace,
    pod,
    reason: 'Terminating',
    terminatingSince: since,
    ...(finalizers.length > 0 && { finalizers }),
    message: `pod ${namespace}/${pod} ${what}${held}`,
  }
}

/** The budgets that protect a pod: those of its namespace whose selector matches its labels. */
export function budgetsOf(pod: Pod, budgets: readonly PodDisruptionBudget[]): readonly PodDisruptionBudget[] {
  return budgets.filter(({ metadata, spec }) => {
    if (metadata.namespace !== pod.metadata.namespace) return false
    const query = labelSelectorToQuery(spec?.selector)
    return 'value' in query && matchesLabels(query.value, pod.metadata.labels)
  })
}

const shownBlockers = 10

export function blockersText(since: string, attempts: number, blockers: readonly Blocker[]): string | undefined {
  if (blockers.length === 0) return undefined
  const shown: DrainBlockers = { since, attempts, total: blockers.length, blockers: blockers.slice(0, shownBlockers) }
  return JSON.stringify(shown)
}

/** For conditions and events, which are short: the first three sentences. */
export function describeBlockers(blockers: readonly Blocker[]): string {
  const sentences = blockers.slice(0, 3).map(({ message }) => message)
  const more = blockers.length > 3 ? `; and ${blockers.length - 3} more pods` : ''
  return sentences.join('; ') + more
}
