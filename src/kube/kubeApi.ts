import type { Kind } from '../api/kind.ts'
import type { KubernetesList, KubernetesObject, Status } from '../api/meta.ts'

/** Which object: `namespace` only for namespaced kinds. */
export interface ObjectKey {
  readonly name: string
  readonly namespace?: string
}

export interface CallOptions {
  readonly signal?: AbortSignal
}

export interface WriteOptions extends CallOptions {
  readonly fieldManager?: string
  readonly dryRun?: boolean
}

export interface ListOptions extends CallOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface WatchOptions extends CallOptions {
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly resourceVersion?: string
  readonly timeoutSeconds?: number
  /** WatchList: the server sends the present state first, then a bookmark with `k8s.io/initial-events-end`. */
  readonly sendInitialEvents?: boolean
}

export type WatchEvent<T extends KubernetesObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: Status }

/** The patch body decides the content type; `apply` is server-side apply and needs a field manager. */
export type Patch =
  | { readonly type: 'json'; readonly operations: readonly Readonly<Record<string, unknown>>[] }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown }
  | { readonly type: 'apply'; readonly body: unknown; readonly force?: boolean }

interface PatchOptions extends WriteOptions {
  readonly subresource?: 'status'
}

export interface DeleteOptions extends WriteOptions {
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/**
 * Any Kubernetes API server, typed by kind. Every method throws `ApiError` for an answer that is not 2xx and a
 * `Retryable` error (errors.ts) for a connection that failed; both name the verb and the object.
 */
export interface KubeApi {
  get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: CallOptions): Promise<T>
  list<T extends KubernetesObject>(kind: Kind<T>, options?: ListOptions): Promise<KubernetesList<T>>
  watch<T extends KubernetesObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>
  create<T extends KubernetesObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>
  update<T extends KubernetesObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>
  updateStatus<T extends KubernetesObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>
  patch<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, patch: Patch, options?: PatchOptions): Promise<T>
  delete<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>
  /** POST pods/NAME/eviction (policy/v1). A refusal by a PodDisruptionBudget is an `ApiError` with status 429. */
  evict(key: ObjectKey, options?: DeleteOptions): Promise<void>
}

/** An answer of the API server that is not a success. Branch on `status` and `reason`, never on the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly reason: string
  readonly details: Status['details']
  constructor(body: Status, options?: ErrorOptions) {
    super(body.message ?? body.reason ?? `the API server answered ${body.code ?? 0}`, options)
    this.status = body.code ?? 0
    this.reason = body.reason ?? ''
    this.details = body.details
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
export const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.reason === 'Conflict'
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 409 && error.reason === 'AlreadyExists'
export const isTooManyRequests = (error: unknown): boolean => error instanceof ApiError && error.status === 429
