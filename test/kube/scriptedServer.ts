import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as the script sees it: `resource` is the path, `query` its parameters, `body` its text. */
interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Answer = (response: ServerResponse, request: SeenRequest) => void

/**
 * An HTTP server over a real socket that answers the n-th request with the n-th answer of its script, and says what it
 * was asked. A request beyond the script hangs: the test then fails by its own expectation, not by a second error.
 */
export interface ScriptedServer {
  readonly url: URL
  readonly requests: readonly SeenRequest[]
  /** Appends answers to the script. */
  script(...answers: Answer[]): void
  /** Resolves when `count` requests have arrived. */
  seen(count: number): Promise<void>
  close(): Promise<void>
}

export async function scriptedServer(...script: Answer[]): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const answers = [...script]
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://server')
      const seen = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(seen)
      answers[requests.length - 1]?.(response, seen)
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    requests,
    script: (...more) => void answers.push(...more),
    seen: (count) =>
      new Promise((resolve) => (requests.length >= count ? resolve() : void waiting.push({ count, resolve }))),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const failure = (code: number, reason: string, message: string): Answer =>
  json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message }, code)

/** A watch: its events, then what becomes of the connection. */
export const stream =
  (events: readonly unknown[], end: 'close' | 'reset' | 'silence' | 'garbage' = 'silence'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    response.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''), () => {
      if (end === 'close') response.end()
      if (end === 'reset') response.socket?.resetAndDestroy()
      if (end === 'garbage') response.end('{"type":"MODIF\n')
    })
  }
