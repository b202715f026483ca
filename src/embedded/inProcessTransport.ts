import type { Transport } from '../kube/transport.ts'
import type { ApiRequest, ApiResponse, Identity } from './server/apiRequest.ts'

/** Reaches an API server in the same process by a function call: no socket, no TLS, the same bytes. */
export function inProcessTransport(
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  { identity }: { readonly identity?: Identity } = {},
): Transport {
  return {
    async request({ method, path, query, headers = {}, body, signal }) {
      signal?.throwIfAborted()
      const text = new URLSearchParams(query).toString()
      const response = await handle({
        method,
        url: text === '' ? path : `${path}?${text}`,
        headers,
        ...(body !== undefined && { body }),
        ...(identity && { identity }),
        ...(signal && { signal }),
      })
      return { status: response.status, headers: response.headers, body: bodyOf(response.body, signal) }
    },
  }
}

async function* bodyOf(body: ApiResponse['body'], signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else yield* body
  // The server ends a watch when the signal aborts; a client must not take that for a graceful close.
  signal?.throwIfAborted()
}
