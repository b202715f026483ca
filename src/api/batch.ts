import type { PodTemplateSpec } from './core.ts'
import { defineKind } from './kind.ts'
import type { ConditionStatus, KubernetesObject, LabelSelector } from './meta.ts'

/** batch/v1: only the members that are read or written here. */
export interface Job extends KubernetesObject {
  readonly spec?: {
    readonly parallelism?: number
    readonly completions?: number
    readonly backoffLimit?: number
    readonly activeDeadlineSeconds?: number
    readonly ttlSecondsAfterFinished?: number
    readonly suspend?: boolean
    readonly selector?: LabelSelector
    readonly template: PodTemplateSpec
  }
  readonly status?: {
    readonly active?: number
    readonly ready?: number
    readonly succeeded?: number
    readonly failed?: number
    readonly startTime?: string
    readonly completionTime?: string
    readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] }
    readonly conditions?: readonly {
      readonly type: string
      readonly status: ConditionStatus
      readonly lastProbeTime?: string
      readonly lastTransitionTime?: string
      readonly reason?: string
      readonly message?: string
    }[]
  }
}
export const Job = defineKind<Job>('batch', 'v1', 'Job', 'jobs', { namespaced: true })
