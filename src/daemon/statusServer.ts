import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '../kube/errors.ts'

export interface StatusServerOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Why the process should be restarted; undefined while it works. */
  readonly fault: () => string | undefined
  readonly metrics: () => string
}

export interface StatusServer {
  readonly url: string
  close(): Promise<void>
}

/** `/healthz` for the kubelet and `/metrics` for Prometheus, in plain HTTP: TLS and who may ask are a proxy's business. */
export async function startStatusServer({ host, port, fault, metrics }: StatusServerOptions): Promise<StatusServer> {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
      response.end(request.method === 'HEAD' ? undefined : body)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, plain, 'only GET and HEAD\n')
    switch (request.url?.split('?')[0]) {
      case '/healthz': {
        const reason = fault()
        return reason === undefined ? answer(200, plain, 'ok') : answer(503, plain, `${reason}\n`)
      }
      case '/metrics':
        return answerMetrics(answer, metrics)
      default:
        return answer(404, plain, 'there are /healthz and /metrics\n')
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  // Bound to a port, so this is no pipe.
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const plain = 'text/plain; charset=utf-8'

/** A page that cannot be made is this request's failure, and a scraper shows it; the process goes on. */
function answerMetrics(answer: (status: number, type: string, body: string) => void, metrics: () => string): void {
  try {
    answer(200, 'text/plain; version=0.0.4; charset=utf-8', metrics())
  } catch (error) {
    answer(500, plain, `the metrics cannot be made: ${messageOf(error)}\n`)
  }
}
