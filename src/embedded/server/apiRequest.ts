import type { Status } from '../../api/meta.ts'

/** Who asks, after authentication. */
export interface Identity {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export const anonymous: Identity = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** The identity of the process that embeds the server, and of the generated administrator certificate. */
export const administrator: Identity = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] }

/** One request, whatever carried it. */
export interface ApiRequest {
  readonly method: string
  /** Path and query as on the request line: `/api/v1/nodes?limit=500`. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Already proven by the carrier (client certificate, same process). Absent: the Authorization header decides. */
  readonly identity?: Identity
  /** Ends a watch. */
  readonly signal?: AbortSignal
}

export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Bytes, or for a watch a stream of whole lines that ends with the watch. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return bytesResponse(status, Buffer.from(JSON.stringify(value)), headers)
}

export function bytesResponse(
  status: number,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body }
}

export function textResponse(status: number, text: string): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) }
}

export const success = (details?: Status['details'], code?: number): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  ...(details ? { details } : {}),
  ...(code ? { code } : {}),
})
