import type { Transport, TransportRequest, TransportResponse } from '../kube/transport.ts'
import type { ApiRequest, ApiResponse, Identity } from './server/apiRequest.ts'

/**
 * A client's transport that calls the embedded API server as a function: the same requests and answers as over HTTPS,
 * without sockets and TLS. Used by the controllers and daemons of the same process.
 */
export function inProcessTransport(handle: (request: ApiRequest) => Promise<ApiResponse>, identity?: Identity): Transport {
  return {
    async request(request) {
      request.signal?.throwIfAborted()
      const response = await handle(toApiRequest(request, identity))
      return { status: response.status, headers: response.headers, body: bodyOf(response, request.signal) } satisfies TransportResponse
    },
  }
}

function toApiRequest({ method, path, query, headers, body, signal }: TransportRequest, identity: Identity | undefined): ApiRequest {
  const search = new URLSearchParams(query).toString()
  return {
    method,
    url: search === '' ? path : `${path}?${search}`,
    headers: headers ?? {},
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
    ...(identity ? { identity } : {}),
  }
}

/** A watch that ends because its caller aborted rejects like a socket would. */
async function* bodyOf({ body }: ApiResponse, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  if (body instanceof Uint8Array) {
    yield body
    return
  }
  yield* body
  signal?.throwIfAborted()
}
