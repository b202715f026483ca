import type { Pod } from '../../api/core.ts'
import { scaledValue } from '../../api/intOrString.ts'
import type { Condition } from '../../api/meta.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import { secondsOf } from './podConditions.ts'
import { isReady, isTerminating } from './podStates.ts'

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>

export interface BudgetView {
  /** Pods that the budget selects. */
  readonly pods: readonly Pod[]
  /** What the owners of these pods want in all; absent when a pod has no owner with a scale. */
  readonly expectedByOwners: number | undefined
}

export interface DisruptionDecision {
  readonly status: BudgetStatus
  /** When an entry of disruptedPods expires. */
  readonly lookAgainAt: Date | undefined
}

/** An eviction that was granted counts as done for this long, also when the pod does not go. */
const evictionTimeoutMs = 120_000

/** The numbers of a budget (Kubernetes documentation, "Specifying a Disruption Budget for your Application"). */
export function disruptionStatus(budget: PodDisruptionBudget, view: BudgetView, now: Date): DisruptionDecision {
  const expected = expectedPods(budget, view)
  const { disruptedPods, lookAgainAt } = stillDisrupted(budget, view.pods, now)
  const numbers =
    'error' in expected
      ? { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }
      : counts(expected, view.pods, disruptedPods)
  const surplus = numbers.currentHealthy - numbers.desiredHealthy
  const disruptionsAllowed = numbers.expectedPods > 0 && surplus > 0 ? surplus : 0
  const status = {
    observedGeneration: budget.metadata.generation ?? 0,
    disruptedPods,
    disruptionsAllowed,
    ...numbers,
    conditions: [condition(budget, disruptionsAllowed, expected, now)],
  }
  return { status, lookAgainAt }
}

type Expected = { readonly expected: number; readonly desired: number } | { readonly error: string }

function expectedPods({ spec }: PodDisruptionBudget, { pods, expectedByOwners }: BudgetView): Expected {
  const { minAvailable, maxUnavailable } = spec ?? {}
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable }
  if (pods.length === 0) return { expected: 0, desired: 0 }
  if (expectedByOwners === undefined) return { error: 'found no controllers with a scale for the selected pods' }
  const expected = expectedByOwners
  // Both percentages are rounded up, in favour of the owner's wish to keep running, and of progress.
  if (maxUnavailable !== undefined) {
    const scaled = scaledValue(maxUnavailable, expected, { roundUp: true })
    return 'error' in scaled ? scaled : { expected, desired: Math.max(0, expected - scaled.value) }
  }
  const scaled = scaledValue(minAvailable ?? 0, expected, { roundUp: true })
  return 'error' in scaled ? scaled : { expected, desired: scaled.value }
}

function counts(
  { expected, desired }: { expected: number; desired: number },
  pods: readonly Pod[],
  disrupted: Readonly<Record<string, string>>,
) {
  const healthy = pods.filter(
    (pod) => isReady(pod) && !isTerminating(pod) && disrupted[pod.metadata.name ?? ''] === undefined,
  )
  return { currentHealthy: healthy.length, desiredHealthy: desired, expectedPods: expected }
}

function stillDisrupted({ status }: PodDisruptionBudget, pods: readonly Pod[], now: Date) {
  const disruptedPods: Record<string, string> = {}
  let lookAgainAt: Date | undefined
  for (const [name, time] of Object.entries(status?.disruptedPods ?? {})) {
    const pod = pods.find(({ metadata }) => metadata.name === name)
    const expiresAt = new Date(Date.parse(time) + evictionTimeoutMs)
    if (!pod || isTerminating(pod) || expiresAt <= now) continue
    disruptedPods[name] = time
    if (!lookAgainAt || expiresAt < lookAgainAt) lookAgainAt = expiresAt
  }
  return { disruptedPods, lookAgainAt }
}

function condition(budget: PodDisruptionBudget, allowed: number, expected: Expected, now: Date): Condition {
  const wanted =
    'error' in expected
      ? ({ status: 'False', reason: 'SyncFailed', message: expected.error } as const)
      : allowed > 0
        ? ({ status: 'True', reason: 'SufficientPods', message: '' } as const)
        : ({ status: 'False', reason: 'InsufficientPods', message: '' } as const)
  const old = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed')
  const lastTransitionTime = old?.status === wanted.status ? old.lastTransitionTime : secondsOf(now)
  return {
    type: 'DisruptionAllowed',
    ...wanted,
    lastTransitionTime,
    observedGeneration: budget.metadata.generation ?? 0,
  }
}
