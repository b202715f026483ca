import type { Pod } from '../../api/core.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import { labelSelectorToQuery, matchesLabels } from '../../api/selectors.ts'

/** What an eviction request leads to, decided on the pod and the budgets of its namespace (public docs, "API-initiated Eviction"). */
export type EvictionDecision =
  | { readonly kind: 'delete' }
  /** Allowed by this budget, whose next status accounts for it before the pod goes. */
  | {
      readonly kind: 'spend'
      readonly budget: PodDisruptionBudget
      readonly status: NonNullable<PodDisruptionBudget['status']>
    }
  | { readonly kind: 'refuse'; readonly message: string; readonly cause: string; readonly retryAfterSeconds?: number }
  | { readonly kind: 'forbid'; readonly message: string }
  | { readonly kind: 'fault'; readonly message: string }

const refusal = "Cannot evict pod as it would violate the pod's disruption budget."
/** More pods than this in flight mean that the controller behind the budget is stuck. */
const maxDisruptedPods = 2000

export function decideEviction(pod: Pod, budgets: readonly PodDisruptionBudget[], now: string): EvictionDecision {
  if (isBeyondDisruption(pod)) return { kind: 'delete' }
  const matching = budgets.filter((budget) => selects(budget, pod))
  if (matching.length > 1) {
    return {
      kind: 'fault',
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    }
  }
  const [budget] = matching
  if (!budget) return { kind: 'delete' }
  if (mayGoUnhealthy(pod, budget)) return { kind: 'delete' }
  return decideByBudget(pod, budget, now)
}

/** A pod that has ended, is not running yet or is already going disrupts nobody. */
function isBeyondDisruption({ metadata, status }: Pod): boolean {
  const phase = status?.phase
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || metadata.deletionTimestamp !== undefined
}

/** A policy/v1 budget selects nothing without a selector and everything with an empty one. */
function selects({ spec }: PodDisruptionBudget, pod: Pod): boolean {
  const query = labelSelectorToQuery(spec?.selector)
  return 'value' in query && matchesLabels(query.value, pod.metadata.labels)
}

/** A pod that is not ready may go when the healthy ones suffice, or whatever they are when the budget says so. */
function mayGoUnhealthy(pod: Pod, { spec, status }: PodDisruptionBudget): boolean {
  const ready = pod.status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
  if (ready) return false
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  return (status?.currentHealthy ?? 0) >= (status?.desiredHealthy ?? 0) && (status?.desiredHealthy ?? 0) > 0
}

function decideByBudget(pod: Pod, budget: PodDisruptionBudget, now: string): EvictionDecision {
  const name = budget.metadata.name ?? ''
  const { status } = budget
  if ((status?.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    // The numbers belong to an older spec: the budget's controller must look first.
    return {
      kind: 'refuse',
      message: refusal,
      cause: `The disruption budget ${name} is still being processed by the server.`,
      retryAfterSeconds: 10,
    }
  }
  if (!status) return { kind: 'fault', message: `pod disruption budget ${name} has no status` }
  if (status.disruptionsAllowed < 0) return { kind: 'forbid', message: 'pdb disruptions allowed is negative' }
  const disrupted = status.disruptedPods ?? {}
  if (Object.keys(disrupted).length > maxDisruptedPods) {
    return { kind: 'forbid', message: 'DisruptedPods map too big - too many evictions not confirmed by PDB controller' }
  }
  if (status.disruptionsAllowed === 0) return { kind: 'refuse', message: refusal, cause: whyNone(name, status) }
  return {
    kind: 'spend',
    budget,
    status: {
      ...status,
      disruptionsAllowed: status.disruptionsAllowed - 1,
      disruptedPods: { ...disrupted, [pod.metadata.name ?? '']: now },
    },
  }
}

function whyNone(
  name: string,
  { desiredHealthy, currentHealthy, conditions }: NonNullable<PodDisruptionBudget['status']>,
): string {
  const failed = conditions?.find(
    ({ type, status, reason }) => type === 'DisruptionAllowed' && status === 'False' && reason === 'SyncFailed',
  )
  if (failed?.message)
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${failed.message}`
  return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
}
