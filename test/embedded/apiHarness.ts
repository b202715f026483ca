import { builtinResources } from '../../src/embedded/builtins/resources.ts'
import type { Admit } from '../../src/embedded/server/admission.ts'
import { administrator, type Identity } from '../../src/embedded/server/apiRequest.ts'
import { type ApiServer, createApiServer } from '../../src/embedded/server/apiServer.ts'
import type { HistoryLimits } from '../../src/embedded/store/history.ts'
import { memoryStore } from '../../src/embedded/store/memoryStore.ts'
import type { RevisionStore } from '../../src/embedded/store/revisionStore.ts'
import { type FakeClock, fakeClock } from '../kube/fakeClock.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many kinds, looked into by the assertions
  readonly body: any
}

export interface Harness {
  readonly server: ApiServer
  readonly clock: FakeClock
  readonly faults: unknown[]
  call(method: string, url: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** Opens a watch and gives its events one by one. */
  watch(url: string, options?: CallOptions): Promise<Watch>
  close(): Promise<void>
}

interface CallOptions {
  readonly identity?: Identity
  readonly headers?: Readonly<Record<string, string>>
}

interface Watch {
  // biome-ignore lint/suspicious/noExplicitAny: events of many kinds, looked into by the assertions
  next(): Promise<any>
  /** `TYPE name` of the next events. */
  take(count: number): Promise<string[]>
  /** Everything up to the end of the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  rest(): Promise<any[]>
  close(): void
}

/** An API server in memory with a clock that stands still and counted names. */
export async function startHarness(
  options: {
    store?: RevisionStore
    admit?: Admit
    historyLimits?: HistoryLimits
    tokens?: Record<string, Identity>
  } = {},
): Promise<Harness> {
  const clock = fakeClock()
  const faults: unknown[] = []
  let count = 0
  const { tokens = {} } = options
  const server = await createApiServer({
    store: options.store ?? memoryStore(),
    builtins: builtinResources,
    clock,
    ids: { uid: () => `uid-${++count}`, suffix: () => String(++count).padStart(5, 'x') },
    random: () => 0,
    onFault: (error) => faults.push(error),
    authenticateToken: (token) => tokens[token],
    ...(options.admit ? { admit: options.admit } : {}),
    ...(options.historyLimits ? { historyLimits: options.historyLimits } : {}),
  })
  const identityOf = ({ identity, headers }: CallOptions) =>
    headers?.authorization === undefined ? { identity: identity ?? administrator } : {}
  return {
    server,
    clock,
    faults,
    async call(method, url, body, callOptions = {}) {
      const response = await server.handle({
        method,
        url,
        headers: { 'content-type': 'application/json', ...callOptions.headers },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
        ...identityOf(callOptions),
      })
      if (!(response.body instanceof Uint8Array)) throw new Error('expected a whole answer, got a stream')
      const text = Buffer.from(response.body).toString('utf8')
      const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    },
    async watch(url, callOptions = {}) {
      const abort = new AbortController()
      const response = await server.handle({
        method: 'GET',
        url,
        headers: callOptions.headers ?? {},
        signal: abort.signal,
        ...identityOf(callOptions),
      })
      if (response.body instanceof Uint8Array)
        throw new Error(`no watch but ${Buffer.from(response.body).toString('utf8')}`)
      return watchOf(response.body, abort)
    },
    close: () => server.close(),
  }
}

function watchOf(stream: AsyncIterable<Uint8Array>, abort: AbortController): Watch {
  const events = eventsOf(stream)
  const next = async () => {
    const { value, done } = await events.next()
    if (done) throw new Error('the watch has ended')
    return value
  }
  return {
    next,
    async take(count) {
      const taken: string[] = []
      while (taken.length < count) {
        const event = await next()
        taken.push(`${event.type} ${event.object.metadata?.name ?? ''}`.trim())
      }
      return taken
    },
    async rest() {
      const all = []
      for await (const event of events) all.push(event)
      return all
    },
    close: () => abort.abort(),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see Watch
async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<any> {
  for await (const chunk of stream) {
    for (const line of Buffer.from(chunk).toString('utf8').split('\n')) if (line !== '') yield JSON.parse(line)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: builders of request bodies
type Body = any

export const configMap = (name: string, data: Record<string, string> = {}, metadata: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
})

export const pod = (name: string, spec: object = {}, metadata: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'registry/app:1' }], ...spec },
})

export const node = (name: string, metadata: object = {}): Body => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, ...metadata },
})

/** `widgets.example.com`, namespaced, with status; `schema` is that of spec. */
export const widgetDefinition = (
  schema: object = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
): Body => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: schema, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
})

export const widget = (name: string, spec: object = {}, metadata: object = {}): Body => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
})

export const paths = {
  configMaps: '/api/v1/namespaces/default/configmaps',
  pods: '/api/v1/namespaces/default/pods',
  nodes: '/api/v1/nodes',
  namespaces: '/api/v1/namespaces',
  definitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  widgets: '/apis/example.com/v1/namespaces/default/widgets',
  budgets: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
}
