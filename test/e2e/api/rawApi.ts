import { readFileSync } from 'node:fs'
import { Agent, type RequestOptions, request } from 'node:https'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { KubeConfig } from '@kubernetes/client-node'
import { issueCertificate, type KeyPair } from '../../../src/certificates/issueCertificate.ts'
import type { RunningCluster } from '../harness.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many kinds, looked into by the assertions
  readonly body: any
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** `none`: no client certificate. Default: the administrator's. */
  readonly pair?: KeyPair | 'none'
}

/** Requests as any HTTP client makes them: nothing is checked or repeated on this side. */
export interface RawApi {
  readonly config: KubeConfig
  readonly url: URL
  readonly ca: string
  readonly admin: KeyPair
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** A call that must succeed; the object. */
  // biome-ignore lint/suspicious/noExplicitAny: see Answer
  ok(method: string, path: string, body?: unknown, options?: CallOptions): Promise<any>
  /** Sends bytes over TLS and collects what comes back until the server is silent for `quietMs` or hangs up. */
  socket(bytes: string, quietMs?: number): Promise<string>
  open(): TLSSocket
  /** A certificate of the cluster's own authority. */
  certificateOf(user: string, groups: readonly string[], now?: Date): Promise<KeyPair>
  /** Resident memory of the process that serves. */
  residentMb(): number
  close(): void
}

export const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
export const apply = { headers: { 'content-type': 'application/apply-patch+yaml' } }
export const configMaps = '/api/v1/namespaces/default/configmaps'

export const configMap = (name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})

export function rawApi(cluster: Pick<RunningCluster, 'kubeconfig' | 'dataDir' | 'process'>): RawApi {
  const config = new KubeConfig()
  config.loadFromFile(cluster.kubeconfig)
  const { server = '', caData = '' } = config.getCurrentCluster() ?? {}
  const { certData = '', keyData = '' } = config.getCurrentUser() ?? {}
  const url = new URL(server)
  const ca = decode(caData)
  const admin = { certificatePem: decode(certData), keyPem: decode(keyData) }
  const agents = new Map<string, Agent>()
  const agentOf = (pair: KeyPair | 'none'): Agent => {
    const key = pair === 'none' ? '' : pair.certificatePem
    const tls = pair === 'none' ? {} : { cert: pair.certificatePem, key: pair.keyPem }
    const agent = agents.get(key) ?? new Agent({ keepAlive: true, maxSockets: 64, ca, ...tls })
    agents.set(key, agent)
    return agent
  }
  const call = (method: string, path: string, body?: unknown, { headers = {}, pair = admin }: CallOptions = {}) => {
    const bytes = bytesOf(body)
    // Node sends no length with the body of a DELETE by itself.
    const length = body === undefined ? {} : { 'content-length': String(bytes.length) }
    const all = { 'content-type': 'application/json', ...length, ...headers }
    return send({ host: url.hostname, port: url.port, method, path, headers: all, agent: agentOf(pair) }, bytes)
  }
  const open = () =>
    connect({
      host: url.hostname,
      port: Number(url.port),
      ca,
      cert: admin.certificatePem,
      key: admin.keyPem,
      ALPNProtocols: ['http/1.1'],
    })
  return {
    config,
    url,
    ca,
    admin,
    call,
    async ok(method, path, body, options) {
      const answer = await call(method, path, body, options)
      if (answer.status < 300) return answer.body
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.bytes.toString('utf8', 0, 500)}`)
    },
    open,
    socket(bytes, quietMs = 300) {
      return new Promise((resolve, reject) => {
        const socket = open()
        let text = ''
        const finish = () => {
          socket.destroy()
          resolve(text)
        }
        socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
        socket.on('close', finish)
        socket.on('error', (error) => (text === '' ? reject(error) : finish()))
        socket.setTimeout(quietMs, finish)
        socket.write(bytes)
      })
    },
    certificateOf(user, groups, now = new Date()) {
      const read = (name: string) => readFileSync(join(cluster.dataDir, 'pki', name), 'utf8')
      const authority = { certificatePem: read('ca.crt'), keyPem: read('ca.key') }
      return issueCertificate(authority, { kind: 'client', commonName: user, organizations: groups }, now)
    },
    residentMb() {
      const status = readFileSync(`/proc/${cluster.process.pid}/status`, 'utf8')
      return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
    },
  }
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body))
}

function send(options: RequestOptions, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, body: parsed(bytes) })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    // Not JSON: the assertion looks at the bytes.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
