import * as http from 'node:http'
import * as https from 'node:https'
import { anonymous, type Credentials, type Identity } from './credentials.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

export interface HttpTransportOptions {
  /** Scheme, host, port and base path of the API server. */
  readonly server: URL
  readonly tls?: ServerTrust
  readonly credentials?: Credentials
  /** Delay of the first TCP keep-alive probe: a vanished host is noticed in minutes even on a silent watch. */
  readonly keepAliveMs?: number
}

export interface ServerTrust {
  /** PEM bundle; the system's authorities when absent. */
  readonly ca?: string
  /** Name expected in the server's certificate when it differs from the host in the URL. */
  readonly serverName?: string
  readonly insecureSkipVerify?: boolean
}

export interface HttpTransport extends Transport {
  /** Closes idle connections; exchanges in flight go on. */
  close(): void
}

/** The transport over sockets: HTTP/1.1, kept alive; one connection per exchange in flight. */
export function httpTransport(options: HttpTransportOptions): HttpTransport {
  const { server, credentials = anonymous, keepAliveMs = 15_000 } = options
  const agents = new AgentPool(server, options.tls ?? {})
  const basePath = server.pathname.replace(/\/+$/, '')

  /** A server may close a kept-alive connection just as we use it again: reading once more is safe, writing is not. */
  async function attempt(request: TransportRequest, identity: Identity): Promise<TransportResponse> {
    try {
      return await attemptOnce(request, identity)
    } catch (error) {
      if (!(error instanceof StaleConnection) || request.method !== 'GET') throw error
      return await attemptOnce(request, identity)
    }
  }

  async function attemptOnce(request: TransportRequest, identity: Identity): Promise<TransportResponse> {
    const requester = server.protocol === 'https:' ? https.request : http.request
    const outgoing = requester({
      protocol: server.protocol,
      hostname: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port,
      method: request.method,
      path: basePath + request.path + queryOf(request),
      headers: {
        ...request.headers,
        ...(identity.authorization === undefined ? {} : { authorization: identity.authorization }),
        ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
      },
      agent: agents.forIdentity(identity),
      ...(request.signal && { signal: request.signal }),
    })
    return await exchange(outgoing, request, keepAliveMs)
  }

  return {
    async request(request) {
      request.signal?.throwIfAborted()
      const response = await attempt(request, await credentials.current(request.signal))
      if (response.status !== 401) return response
      credentials.reject()
      await drain(response)
      return await attempt(request, await credentials.current(request.signal))
    },
    close: () => agents.close(),
  }
}

class StaleConnection extends Error {
  override readonly name = 'StaleConnection'
}

function exchange(
  outgoing: http.ClientRequest,
  { signal, body, idleTimeoutMs }: TransportRequest,
  keepAliveMs: number,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (signal?.aborted) reject(signal.reason)
      else if (outgoing.reusedSocket && error.code === 'ECONNRESET') reject(new StaleConnection(error.message))
      else reject(error)
    })
    outgoing.on('socket', (socket) => socket.setKeepAlive(true, keepAliveMs))
    if (idleTimeoutMs !== undefined) {
      outgoing.setTimeout(idleTimeoutMs, () =>
        outgoing.destroy(new Error(`the peer was silent for ${idleTimeoutMs} ms`)),
      )
    }
    outgoing.on('response', (incoming) =>
      resolve({ status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: bodyOf(incoming, signal) }),
    )
    outgoing.end(body)
  })
}

async function* bodyOf(incoming: http.IncomingMessage, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of incoming) yield chunk
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw error
  }
}

async function drain({ body }: TransportResponse): Promise<void> {
  for await (const chunk of body) void chunk
}

function headersOf(incoming: http.IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

function queryOf({ query }: TransportRequest): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

/** One agent per client certificate, because a kept-alive connection keeps the identity that it was opened with. */
class AgentPool {
  readonly #server: URL
  readonly #trust: ServerTrust
  #agent: http.Agent | undefined
  #cert: string | undefined

  constructor(server: URL, trust: ServerTrust) {
    this.#server = server
    this.#trust = trust
  }

  forIdentity(identity: Identity): http.Agent {
    if (this.#agent && this.#cert === identity.cert) return this.#agent
    this.close()
    this.#cert = identity.cert
    this.#agent = this.#server.protocol === 'https:' ? this.#secureAgent(identity) : new http.Agent({ keepAlive: true })
    return this.#agent
  }

  #secureAgent({ cert, key }: Identity): https.Agent {
    const { ca, serverName, insecureSkipVerify = false } = this.#trust
    return new https.Agent({
      keepAlive: true,
      rejectUnauthorized: !insecureSkipVerify,
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
    })
  }

  close(): void {
    // Agent.destroy would cut exchanges in flight: only what is idle goes, the rest goes idle and then times out.
    for (const sockets of Object.values(this.#agent?.freeSockets ?? {}))
      for (const socket of sockets ?? []) socket.destroy()
  }
}
