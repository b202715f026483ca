import type { Pod } from '../api/core.ts'
import type { PodDisruptionBudget } from '../api/policy.ts'
import { budgetsOf } from './drainBlockers.ts'

/** What the API server will answer to an eviction of a pod now, as far as budgets decide it. */
export type BudgetVerdict =
  | { readonly kind: 'free' }
  /** No disruption is left: the eviction is refused, and may be granted later. */
  | { readonly kind: 'exhausted'; readonly budget: PodDisruptionBudget }
  /** A pod of several budgets is never evicted. */
  | { readonly kind: 'several'; readonly budgets: readonly PodDisruptionBudget[] }

export function budgetVerdict(pod: Pod, budgets: readonly PodDisruptionBudget[]): BudgetVerdict {
  if (disruptsNobody(pod)) return { kind: 'free' }
  const matching = budgetsOf(pod, budgets)
  const [budget] = matching
  if (!budget) return { kind: 'free' }
  if (matching.length > 1) return { kind: 'several', budgets: matching }
  const isExhausted = (budget.status?.disruptionsAllowed ?? 0) <= 0
  return isExhausted && !mayGoUnready(pod, budget) ? { kind: 'exhausted', budget } : { kind: 'free' }
}

/** A pod that has ended, does not run yet or is going already. */
function disruptsNobody({ metadata, status }: Pod): boolean {
  const phase = status?.phase
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || metadata.deletionTimestamp !== undefined
}

/** A pod that is not ready may go when the budget says so, or when the ready ones suffice. */
function mayGoUnready(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  if (isPodReady(pod)) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {}
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy
}

export const isPodReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
