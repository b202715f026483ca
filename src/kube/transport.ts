/**
 * One HTTP exchange with an API server, without any knowledge of Kubernetes: over a socket (httpTransport.ts), or a
 * function call into an API server in the same process. Both sides stream: the body of a watch never ends by itself.
 */
export interface Transport {
  /** Resolves when status and headers are known. Rejects with the signal's reason when it aborts, also in mid-body. */
  request(request: TransportRequest): Promise<TransportResponse>
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Already percent-encoded, below the server's base path: `/api/v1/nodes/a`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
  /** The exchange fails when the peer stays silent for this long, before the headers or within the body. */
  readonly idleTimeoutMs?: number
}

export interface TransportResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Leaving the loop early ends the exchange. */
  readonly body: AsyncIterable<Uint8Array>
}
