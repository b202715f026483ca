import type { PodTemplateSpec } from './core.ts'
import type { IntOrString } from './intOrString.ts'
import { defineKind } from './kind.ts'
import type { ConditionStatus, KubernetesObject, LabelSelector } from './meta.ts'

/** apps/v1: only the members that are read or written here. */

export interface WorkloadCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly lastUpdateTime?: string
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export interface Deployment extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template: PodTemplateSpec
    readonly strategy?: {
      readonly type?: string
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString }
    }
    readonly paused?: boolean
    readonly progressDeadlineSeconds?: number
    readonly revisionHistoryLimit?: number
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly unavailableReplicas?: number
    readonly conditions?: readonly WorkloadCondition[]
  }
}
export const Deployment = defineKind<Deployment>('apps', 'v1', 'Deployment', 'deployments', { namespaced: true })

export interface ReplicaSet extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template?: PodTemplateSpec
    readonly minReadySeconds?: number
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly fullyLabeledReplicas?: number
  }
}
export const ReplicaSet = defineKind<ReplicaSet>('apps', 'v1', 'ReplicaSet', 'replicasets', { namespaced: true })

export interface DaemonSet extends KubernetesObject {
  readonly spec?: {
    readonly selector: LabelSelector
    readonly template: PodTemplateSpec
    readonly updateStrategy?: {
      readonly type?: string
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString }
    }
    readonly revisionHistoryLimit?: number
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly currentNumberScheduled: number
    readonly numberMisscheduled: number
    readonly desiredNumberScheduled: number
    readonly numberReady: number
    readonly updatedNumberScheduled?: number
    readonly numberAvailable?: number
    readonly numberUnavailable?: number
  }
}
export const DaemonSet = defineKind<DaemonSet>('apps', 'v1', 'DaemonSet', 'daemonsets', { namespaced: true })

export interface StatefulSet extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly serviceName?: string
    readonly template: PodTemplateSpec
  }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
  }
}
export const StatefulSet = defineKind<StatefulSet>('apps', 'v1', 'StatefulSet', 'statefulsets', { namespaced: true })
