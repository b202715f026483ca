import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../kube/log.ts'
import { type ConnectionLimit, connectionLimit } from './connectionLimit.ts'
import { plainAddress } from './plainAddress.ts'
import { rateLimit } from './rateLimit.ts'
import type { RequestMetrics } from './serverMetrics.ts'

interface CounterPorts {
  readonly log: Log
  readonly metrics: RequestMetrics
  readonly now: () => Date
}

export interface ConnectionCounter {
  readonly limit: ConnectionLimit
  /** Counts and logs, the log within bounds. */
  readonly refused: (reason: string, fields: Readonly<Record<string, unknown>>) => void
}

export function connectionCounter(
  { log, metrics, now }: CounterPorts,
  limits: { readonly maxConnections: number; readonly maxConnectionsPerAddress: number },
): ConnectionCounter {
  const mayLog = rateLimit({ perSecond: 5, burst: 50 })
  const refused: ConnectionCounter['refused'] = (reason, fields) => {
    metrics.refusedConnection(reason)
    if (mayLog.admits('', now().getTime())) log.warn('connection refused', { reason, ...fields })
  }
  const limit = connectionLimit({
    most: limits.maxConnections,
    mostPerAddress: limits.maxConnectionsPerAddress,
    onGaveWay: (remoteAddress) => refused('IdleGaveWay', { remoteAddress }),
  })
  return { limit, refused }
}

/** Limits and faults below the request: what arrives before, or instead of, a request that can be answered. */
export function guardConnections(
  server: Server | TlsServer,
  isTls: boolean,
  { limit, refused }: ConnectionCounter,
): void {
  server.on('connection', (socket: Socket) => {
    const reason = limit.refusal(socket)
    if (reason === undefined) return
    refused(reason, { remoteAddress: plainAddress(socket.remoteAddress) })
    socket.destroy()
  })
  const isSecured = new WeakSet<Duplex>()
  server.on('secureConnection', (socket: Duplex) => isSecured.add(socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex & { readonly remoteAddress?: string }) => {
    const told = { code: error.code, remoteAddress: plainAddress(socket.remoteAddress) }
    if (isTls && !isSecured.has(socket)) {
      refused('TlsHandshakeFailed', told)
      // Nobody else does, and an answer would wait for the end of the handshake that does not come.
      return void socket.destroy()
    }
    const { status, reason } = protocolFaults[error.code ?? ''] ?? { status: '400 Bad Request', reason: 'BadRequest' }
    refused(reason, told)
    if (!socket.writable) return void socket.destroy()
    const head = `HTTP/1.1 ${status}\r\nContent-Length: 0\r\nX-Machine-Config-Error: ${reason}\r\nConnection: close\r\n\r\n`
    socket.end(head, () => socket.destroy())
  })
}

interface ProtocolFault {
  readonly status: string
  readonly reason: string
}

const protocolFaults: Readonly<Record<string, ProtocolFault>> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', reason: 'HeaderTooLarge' },
  HPE_INVALID_METHOD: { status: '405 Method Not Allowed', reason: 'MethodNotAllowed' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', reason: 'RequestTimeout' },
}
