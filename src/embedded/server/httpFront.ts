import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { KeyPair } from '../../certificates/issueCertificate.ts'
import { type ApiRequest, type ApiResponse, type Identity, jsonResponse } from './apiRequest.ts'
import { compressed } from './compression.ts'
import { badRequest, requestTooLarge, StatusError, unauthorized } from './statusError.ts'

export interface HttpFrontOptions {
  readonly handle: (request: ApiRequest) => Promise<ApiResponse>
  readonly server: KeyPair
  /** Signs the client certificates that prove an identity. */
  readonly clientAuthorityPem: string
  readonly host: string
  readonly port: number
  readonly onFault: (error: unknown) => void
}

export interface HttpFront {
  readonly port: number
  close(): Promise<void>
}

type Request = IncomingMessage | Http2ServerRequest
type Response = ServerResponse | Http2ServerResponse

const maxBodyBytes = 3 * 1024 * 1024
/** The rest of a body that is too large is read and forgotten, so that the connection can go on; but not for ever. */
const maxDrainedBytes = 32 * 1024 * 1024
/** A reader that takes nothing for this long is gone. */
const stalledMs = 60_000

/** HTTP/2 and HTTP/1.1 over TLS in front of `handle`. Client certificates are asked for, not demanded. */
export async function listenHttps(options: HttpFrontOptions): Promise<HttpFront> {
  const sockets = new Set<Socket>()
  const identities = new WeakMap<TLSSocket, Identity | 'none' | 'refused'>()
  const server = createSecureServer(
    {
      allowHTTP1: true,
      cert: options.server.certificatePem,
      key: options.server.keyPem,
      ca: [options.clientAuthorityPem],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      // Thousands of watches may share one connection; the default of 10 MB per session would end it.
      maxSessionMemory: 512,
    },
    (request, response) => {
      serve(options, identities, request, response).catch((error: unknown) => {
        // A client that has left is nobody's fault.
        if (!request.destroyed) options.onFault(error)
        response.destroy()
      })
    },
  )
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // A client that breaks off its handshake or its session is its own business; the server goes on.
  server.on('sessionError', () => undefined)
  server.on('tlsClientError', () => undefined)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function serve(
  options: HttpFrontOptions,
  identities: WeakMap<TLSSocket, Identity | 'none' | 'refused'>,
  request: Request,
  response: Response,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const answer = await answerTo(options, identityOf(request, identities), request, gone.signal)
  const { status, headers, body } = answer
  if (body instanceof Uint8Array) {
    response.writeHead(status, { ...headers, 'content-length': body.length })
    response.end(body)
  } else {
    response.writeHead(status, { ...headers })
    await stream(body, response, gone.signal)
  }
}

async function answerTo(
  { handle }: HttpFrontOptions,
  certificate: Identity | 'none' | 'refused',
  request: Request,
  signal: AbortSignal,
): Promise<ApiResponse> {
  try {
    const headers = headersOf(request)
    // Read also for an answer that does not need it: what stays unread would stand before the next request.
    const body = await readBody(request)
    if (body.kind === 'tooLarge') return tooLarge(body.endless && !('stream' in request))
    if (certificate === 'refused') throw unauthorized()
    if (headers['content-encoding'] !== undefined) throw badRequest('compressed request bodies are not supported')
    const method = request.method ?? 'GET'
    const identity = certificate === 'none' ? {} : { identity: certificate }
    const answer = await handle({ method, url: request.url ?? '/', headers, body: body.bytes, ...identity, signal })
    return await compressed({ method, headers }, answer)
  } catch (error) {
    if (error instanceof StatusError) return jsonResponse(error.code, error.status)
    throw error
  }
}

function tooLarge(closes: boolean): ApiResponse {
  const { code, status } = requestTooLarge(maxBodyBytes)
  return jsonResponse(code, status, closes ? { connection: 'close' } : {})
}

function headersOf(request: Request): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return headers
}

type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge'; readonly endless: boolean }

function readBody(request: Request): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
      else if (size > maxDrainedBytes) resolve({ kind: 'tooLarge', endless: true })
    })
    request.once('end', () => {
      const [first = Buffer.alloc(0)] = chunks
      const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first
      resolve(size > maxBodyBytes ? { kind: 'tooLarge', endless: false } : { kind: 'whole', bytes })
    })
    request.once('error', reject)
    request.once('close', () => reject(new Error('the client broke off its request')))
  })
}

async function stream(body: AsyncIterable<Uint8Array>, response: Response, gone: AbortSignal): Promise<void> {
  if ('flushHeaders' in response) response.flushHeaders()
  for await (const chunk of body) {
    if (gone.aborted) return
    // Both kinds of response take bytes; the types of their overloads do not unite.
    const flowing = (response as ServerResponse).write(chunk)
    if (!flowing && !(await drained(response as ServerResponse, gone))) {
      response.destroy()
      return
    }
  }
  response.end()
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<boolean> {
  if (gone.aborted) return false
  const timeout = AbortSignal.timeout(stalledMs)
  return once(response, 'drain', { signal: AbortSignal.any([gone, timeout]) }).then(
    () => true,
    () => false,
  )
}

/** The certificate of the connection, read once per connection. */
function identityOf(
  request: Request,
  known: WeakMap<TLSSocket, Identity | 'none' | 'refused'>,
): Identity | 'none' | 'refused' {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket
  if (!(socket instanceof TLSSocket)) return 'none'
  let identity = known.get(socket)
  if (identity === undefined) {
    identity = readIdentity(socket)
    known.set(socket, identity)
  }
  return identity
}

function readIdentity(socket: TLSSocket): Identity | 'none' | 'refused' {
  const certificate = socket.getPeerCertificate()
  if (!certificate || Object.keys(certificate).length === 0) return 'none'
  if (!socket.authorized) return 'refused'
  // One organization is a string, several are a list, whatever the types say.
  const organizations: unknown = certificate.subject.O ?? []
  const groups = Array.isArray(organizations) ? organizations.map(String) : [String(organizations)]
  return { name: String(certificate.subject.CN), groups: [...groups, 'system:authenticated'] }
}
