import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

/** authentication.k8s.io/v1. */
export interface UserInfo {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export interface TokenReview extends KubernetesObject {
  readonly spec: { readonly token?: string; readonly audiences?: readonly string[] }
  readonly status?: {
    readonly authenticated?: boolean
    readonly user?: UserInfo
    readonly audiences?: readonly string[]
    readonly error?: string
  }
}
export const TokenReview = defineKind<TokenReview>('authentication.k8s.io', 'v1', 'TokenReview', 'tokenreviews')

export interface SelfSubjectReview extends KubernetesObject {
  readonly status?: { readonly userInfo?: UserInfo }
}
export const SelfSubjectReview = defineKind<SelfSubjectReview>(
  'authentication.k8s.io',
  'v1',
  'SelfSubjectReview',
  'selfsubjectreviews',
)

/** Posted to a ServiceAccount's `token` subresource. */
export interface TokenRequest extends KubernetesObject {
  readonly spec: {
    readonly audiences?: readonly string[]
    readonly expirationSeconds?: number
    readonly boundObjectRef?: {
      readonly kind?: string
      readonly apiVersion?: string
      readonly name?: string
      readonly uid?: string
    } | null
  }
  readonly status?: { readonly token: string; readonly expirationTimestamp: string }
}
export const TokenRequest = defineKind<TokenRequest>('authentication.k8s.io', 'v1', 'TokenRequest', 'tokenrequests', {
  namespaced: true,
})
