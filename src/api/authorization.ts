import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

/** authorization.k8s.io/v1. */
export interface ResourceAttributes {
  readonly namespace?: string
  readonly verb?: string
  readonly group?: string
  readonly version?: string
  readonly resource?: string
  readonly subresource?: string
  readonly name?: string
}

export interface NonResourceAttributes {
  readonly path?: string
  readonly verb?: string
}

export interface SubjectAccessReviewStatus {
  readonly allowed: boolean
  readonly denied?: boolean
  readonly reason?: string
  readonly evaluationError?: string
}

export interface SubjectAccessReview extends KubernetesObject {
  readonly spec: {
    readonly resourceAttributes?: ResourceAttributes
    readonly nonResourceAttributes?: NonResourceAttributes
    readonly user?: string
    readonly groups?: readonly string[]
    readonly extra?: Readonly<Record<string, readonly string[]>>
    readonly uid?: string
  }
  readonly status?: SubjectAccessReviewStatus
}
export const SubjectAccessReview = defineKind<SubjectAccessReview>(
  'authorization.k8s.io',
  'v1',
  'SubjectAccessReview',
  'subjectaccessreviews',
)

export interface SelfSubjectAccessReview extends KubernetesObject {
  readonly spec: {
    readonly resourceAttributes?: ResourceAttributes
    readonly nonResourceAttributes?: NonResourceAttributes
  }
  readonly status?: SubjectAccessReviewStatus
}
export const SelfSubjectAccessReview = defineKind<SelfSubjectAccessReview>(
  'authorization.k8s.io',
  'v1',
  'SelfSubjectAccessReview',
  'selfsubjectaccessreviews',
)
