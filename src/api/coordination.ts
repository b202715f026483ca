import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

/** coordination.k8s.io/v1. Times are RFC 3339 with microseconds. */
export interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
}
export const Lease = defineKind<Lease>('coordination.k8s.io', 'v1', 'Lease', 'leases', { namespaced: true })
