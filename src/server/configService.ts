import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Log } from '../kube/log.ts'
import type { OnServed } from './admission.ts'
import { type Answer, type AnswerPorts, answerRequest } from './answerRequest.ts'
import { type ConnectionCounter, connectionCounter, guardConnections } from './connectionGuard.ts'
import { plainAddress } from './plainAddress.ts'
import { rateLimit } from './rateLimit.ts'
import type { RequestMetrics } from './serverMetrics.ts'
import { type ServingCertificate, tlsOptions } from './servingCertificate.ts'
import { slowReaders } from './slowReaders.ts'
import type { TlsSettings } from './tlsSettings.ts'
import { writeAnswersWhole } from './wholeAnswers.ts'

export interface ConfigServiceOptions extends Omit<AnswerPorts, 'isReady'> {
  readonly listen: readonly ListenAddress[]
  readonly isReady: () => boolean
  readonly limits?: Partial<ServiceLimits>
  readonly metrics: RequestMetrics
  readonly log: Log
  readonly onServed?: OnServed
}

export type ListenAddress = {
  /** Every address of the machine when absent. */
  readonly host?: string
  /** 0 picks a free one. */
  readonly port: number
} & (
  | { readonly kind: 'tls'; readonly certificate: ServingCertificate; readonly settings: TlsSettings }
  | { readonly kind: 'plain' }
)

/** What one client, and all of them together, may cost. A machine that boots needs one connection and a handful of requests. */
export interface ServiceLimits {
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** Requests of one address per second, and at once after a quiet time; 0 limits nothing. */
  readonly requestsPerSecond: number
  readonly requestBurst: number
  readonly maxHeaderBytes: number
  /** From the first byte of a connection to the end of a request's header. */
  readonly headerTimeoutMs: number
  readonly idleTimeoutMs: number
  /** For reading the whole answer. */
  readonly sendTimeoutMs: number
  /** How long answers that are under way may take after the service was told to end. */
  readonly drainTimeoutMs: number
}

export const defaultLimits: ServiceLimits = {
  maxConnections: 8192,
  maxConnectionsPerAddress: 2048,
  requestsPerSecond: 500,
  requestBurst: 2000,
  maxHeaderBytes: 16_384,
  headerTimeoutMs: 10_000,
  idleTimeoutMs: 15_000,
  sendTimeoutMs: 120_000,
  drainTimeoutMs: 10_000,
}

export interface ConfigService {
  /** In the order of `listen`. */
  readonly urls: readonly string[]
  /** Takes no more connections, lets what is under way end, then closes. */
  close(): Promise<void>
}

/** The listeners of the config server: whoever connects gets an answer in bounded time, or is disconnected. */
export async function startConfigService(options: ConfigServiceOptions): Promise<ConfigService> {
  const limits = { ...defaultLimits, ...options.limits }
  const connections = connectionCounter(options, limits)
  const requests = requestHandler(options, limits, connections)
  const servers: (Server | TlsServer)[] = []
  try {
    const urls: string[] = []
    for (const address of options.listen) {
      const server = createListener(address, requests.handle, limits)
      servers.push(server)
      guardConnections(server, address.kind === 'tls', connections)
      urls.push(`${address.kind === 'tls' ? 'https' : 'http'}://${await bind(server, address)}`)
    }
    return { urls, close: () => requests.close(servers) }
  } catch (error) {
    await Promise.all(servers.map(closeNow))
    throw error
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

function createListener(address: ListenAddress, handle: Handle, limits: ServiceLimits): Server | TlsServer {
  const { headerTimeoutMs, idleTimeoutMs, maxHeaderBytes } = limits
  const http = {
    headersTimeout: headerTimeoutMs,
    requestTimeout: headerTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: Math.min(2000, headerTimeoutMs),
    maxHeaderSize: maxHeaderBytes,
    noDelay: true,
  }
  if (address.kind === 'plain') return createServer(http, handle)
  const { certificate, settings } = address
  // Ignition and every client of ours speak HTTP/1.1; a second protocol would only be a second parser for strangers.
  const server = createTlsServer(
    {
      ...http,
      ...settings,
      ...tlsOptions(certificate.current()),
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: headerTimeoutMs,
    },
    handle,
  )
  server.on('secureConnection', writeAnswersWhole)
  certificate.onChange((pair) => server.setSecureContext({ ...settings, ...tlsOptions(pair) }))
  return server
}

function requestHandler(options: ConfigServiceOptions, limits: ServiceLimits, { limit }: ConnectionCounter) {
  const { log, metrics, now, onServed } = options
  const perAddress = rateLimit({ perSecond: limits.requestsPerSecond, burst: limits.requestBurst })
  const readers = slowReaders(limits.sendTimeoutMs, (remoteAddress) => {
    metrics.refusedConnection('SlowReader')
    log.warn('a client that reads too slowly was disconnected', { remoteAddress })
  })
  let isClosing = false
  const ports: AnswerPorts = { ...options, isReady: () => !isClosing && options.isReady() }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const remoteAddress = plainAddress(socket.remoteAddress)
    const startedMs = performance.now()
    limit.isAnswered(socket)
    response.on('close', () => {
      readers.forget(response)
      limit.waits(socket)
    })
    const { method = '', url: target = '', headers } = request
    const finish = (answer: Answer): void => {
      send(request, response, answer)
      report({ request, answer, remoteAddress, startedMs })
    }
    try {
      const limited = !perAddress.admits(remoteAddress, startedMs)
      const answer = limited ? overLimit : answerRequest({ method, target, headers, remoteAddress }, ports)
      if (answer instanceof Promise) answer.then(finish).catch(failed)
      else finish(answer)
    } catch (error) {
      failed(error)
    }
    function failed(error: unknown): void {
      log.error('a request could not be answered', { error: error instanceof Error ? error.stack : String(error) })
      if (response.headersSent) response.destroy()
      else finish(internalError)
    }
  }

  function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    // What somebody sends along with a method that has no place here is not waited for.
    if (isClosing || !isReading) response.shouldKeepAlive = false
    response.writeHead(status, headers)
    if (request.method === 'HEAD' || body === undefined) response.end()
    else response.end(body)
    if (!response.writableFinished) readers.watch(response, request.socket)
  }

  function report({ request, answer, remoteAddress, startedMs }: Reported): void {
    const { status, subject, body } = answer
    const { pool, version, config, identity, reason, message } = subject
    const { method } = request
    const sentBytes = method === 'HEAD' ? 0 : (body?.length ?? 0)
    metrics.request(subject, { status, sentBytes, seconds: (performance.now() - startedMs) / 1000 })
    if (subject.kind === 'probe') return
    const userAgent = short(request.headers['user-agent'])
    const accept = short(request.headers.accept)
    const isServed = reason === undefined
    // One literal: what is undefined has no place in the line.
    const fields = {
      pool: short(pool),
      remoteAddress,
      userAgent,
      accept,
      status,
      version,
      config,
      identity: identity && `${identity.kind}/${identity.name}`,
      machine: identity?.machine,
      method,
      bytes: isServed ? sentBytes : undefined,
      reason,
      message: isServed ? undefined : short(message, 2000),
    }
    if (isServed) log.info('request', fields)
    else log.warn('request refused', fields)
    if (config === undefined || pool === undefined || version === undefined || method === 'HEAD') return
    const at = now()
    onServed?.(
      identity
        ? { pool, config, version, remoteAddress, userAgent, at, identity }
        : { pool, config, version, remoteAddress, userAgent, at },
    )
  }

  return {
    handle,
    async close(servers: readonly (Server | TlsServer)[]): Promise<void> {
      isClosing = true
      const force = setTimeout(() => {
        for (const server of servers) server.closeAllConnections()
      }, limits.drainTimeoutMs)
      try {
        await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
      } finally {
        clearTimeout(force)
        readers.close()
      }
    },
  }
}

/** What a stranger sends must not fill the log. */
const short = (text = '', most = 200): string => (text.length > most ? `${text.slice(0, most)}…` : text)

interface Reported {
  readonly request: IncomingMessage
  readonly answer: Answer
  readonly remoteAddress: string
  readonly startedMs: number
}

/** A 5xx, because Ignition gives up after a 429. */
const overLimit: Answer = {
  status: 503,
  headers: { 'Content-Length': 0, 'Retry-After': 1, 'X-Machine-Config-Error': 'RateLimited' },
  subject: { kind: 'other', reason: 'RateLimited' },
}
const internalError: Answer = {
  status: 500,
  headers: { 'Content-Length': 0, 'X-Machine-Config-Error': 'InternalError' },
  subject: { kind: 'other', reason: 'InternalError' },
}

async function bind(server: Server | TlsServer, { host, port }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // Bound to a port, so this is no pipe.
  const { port: bound, address } = server.address() as AddressInfo
  return `${address.includes(':') ? `[${address}]` : address}:${bound}`
}

async function closeNow(server: Server | TlsServer): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
