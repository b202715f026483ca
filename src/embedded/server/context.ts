import type { Clock } from '../../kube/clock.ts'
import type { ApiDocuments } from '../openapi/documents.ts'
import type { Collection } from '../store/collection.ts'
import type { Database } from '../store/database.ts'
import type { Admit } from './admission.ts'
import type { Identity } from './apiRequest.ts'
import type { Authorize } from './authorize.ts'
import type { Broadcast } from './broadcast.ts'
import type { ResourceRegistry } from './registry.ts'
import type { ServiceAccountTokens } from './serviceAccountTokens.ts'

/** Names that must be unique, as a port: random in the product, counted in tests. */
export interface Ids {
  uid(): string
  /** Five characters that are appended to `generateName`. */
  suffix(): string
}

/** What every verb works on. */
export interface ServerContext {
  readonly database: Database
  readonly registry: ResourceRegistry
  readonly clock: Clock
  readonly ids: Ids
  readonly admit: Admit
  /** Between 0 and 1, for spreading timeouts. */
  random(): number
  readonly authorize: Authorize
  /** Who a bearer token stands for; undefined: nobody. */
  authenticateToken(token: string): Identity | undefined
  readonly tokens: ServiceAccountTokens
  /** Discovery and OpenAPI. */
  readonly documents: ApiDocuments
  broadcastOf(collection: Collection): Broadcast
}

/** The parts of a request that every write carries. */
export interface WriteCall {
  readonly identity: Identity
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  /** The object comes from server-side apply: its managedFields are up to date. */
  readonly applied?: boolean
  /** Collected on the way, answered as Warning headers. */
  readonly warnings: Set<string>
  /** What strict decoding has against the body: unknown members of metadata, repeated keys. */
  readonly decodingProblems?: Set<string>
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** RFC 3339 in whole seconds, as the API server prints metav1.Time. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}
