import { defineKind } from './kind.ts'
import type { KubernetesObject, LabelSelector } from './meta.ts'

/** rbac.authorization.k8s.io/v1. */
const group = 'rbac.authorization.k8s.io'

export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

export interface Subject {
  readonly kind: string
  readonly apiGroup?: string
  readonly name: string
  readonly namespace?: string
}

export interface RoleRef {
  readonly apiGroup: string
  readonly kind: string
  readonly name: string
}

export interface Role extends KubernetesObject {
  readonly rules?: readonly PolicyRule[] | null
}
export const Role = defineKind<Role>(group, 'v1', 'Role', 'roles', { namespaced: true })

export interface ClusterRole extends KubernetesObject {
  readonly rules?: readonly PolicyRule[] | null
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly LabelSelector[] }
}
export const ClusterRole = defineKind<ClusterRole>(group, 'v1', 'ClusterRole', 'clusterroles')

export interface RoleBinding extends KubernetesObject {
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleRef
}
export const RoleBinding = defineKind<RoleBinding>(group, 'v1', 'RoleBinding', 'rolebindings', { namespaced: true })

export interface ClusterRoleBinding extends KubernetesObject {
  readonly subjects?: readonly Subject[]
  readonly roleRef: RoleRef
}
export const ClusterRoleBinding = defineKind<ClusterRoleBinding>(
  group,
  'v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
)
