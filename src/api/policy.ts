import type { IntOrString } from './intOrString.ts'
import { defineKind } from './kind.ts'
import type { Condition, KubernetesObject, LabelSelector } from './meta.ts'

/** policy/v1. */
export interface PodDisruptionBudget extends KubernetesObject {
  readonly spec?: {
    readonly minAvailable?: IntOrString
    readonly maxUnavailable?: IntOrString
    readonly selector?: LabelSelector | null
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow'
  }
  readonly status?: {
    readonly observedGeneration?: number
    /** Pods whose eviction was granted and that have not disappeared yet: name to time. */
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly disruptionsAllowed: number
    readonly currentHealthy: number
    readonly desiredHealthy: number
    readonly expectedPods: number
    readonly conditions?: readonly Condition[]
  }
}
export const PodDisruptionBudget = defineKind<PodDisruptionBudget>(
  'policy',
  'v1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
  { namespaced: true },
)

/** The body that is posted to a pod's `eviction` subresource. */
export interface Eviction extends KubernetesObject {
  readonly deleteOptions?: {
    readonly gracePeriodSeconds?: number
    readonly dryRun?: readonly string[]
    readonly propagationPolicy?: string
    readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
  }
}
export const Eviction = defineKind<Eviction>('policy', 'v1', 'Eviction', 'evictions', { namespaced: true })
