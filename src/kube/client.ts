import { apiVersionOf, type Kind } from '../api/kind.ts'
import type { KubernetesList, KubernetesObject } from '../api/meta.ts'
import { errorAnswer } from './errorAnswer.ts'
import { messageOf, Retryable } from './errors.ts'
import type {
  CallOptions,
  DeleteOptions,
  KubeApi,
  ListOptions,
  ObjectKey,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './kubeApi.ts'
import { splitLines } from './lines.ts'
import { collectionPath, objectPath } from './resourcePath.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'

export interface KubeClientOptions {
  /** Sent as `user-agent`: shows up in the API server's audit log. */
  readonly userAgent?: string
  /** Default field manager of writes; a controller passes its own name per call. */
  readonly fieldManager?: string
  /** How long the server may be silent during any exchange but a watch. */
  readonly idleTimeoutMs?: number
}

/** A typed client for any Kubernetes API server. It keeps no state and does not retry: that is the caller's policy. */
export function kubeClient(transport: Transport, options: KubeClientOptions = {}): KubeApi {
  const { userAgent = 'mco', fieldManager = 'mco', idleTimeoutMs = 60_000 } = options

  async function send(what: string, request: TransportRequest): Promise<TransportResponse> {
    const headers = { accept: 'application/json', 'user-agent': userAgent, ...request.headers }
    const response = await connected(what, request.signal, () => transport.request({ ...request, headers }))
    if (response.status >= 200 && response.status < 300) return response
    throw errorAnswer(what, response, await readText(what, response, request.signal))
  }

  async function call(what: string, request: TransportRequest): Promise<unknown> {
    const response = await send(what, { idleTimeoutMs, ...request })
    const text = await readText(what, response, request.signal)
    return parseJson(what, text)
  }

  function write<T extends KubernetesObject>(
    verb: Write,
    kind: Kind<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const key = keyOf(object)
    const path = verb.path(kind, key)
    const body = JSON.stringify({ ...object, apiVersion: apiVersionOf(kind), kind: kind.kind })
    return call(`${verb.name} ${nameOf(kind, key)}`, {
      method: verb.method,
      path,
      query: writeQuery(options),
      headers: { 'content-type': 'application/json' },
      body,
      ...signalOf(options),
    }) as Promise<T>
  }

  function writeQuery({ fieldManager: manager = fieldManager, dryRun = false }: WriteOptions): Record<string, string> {
    return { fieldManager: manager, ...(dryRun && { dryRun: 'All' }) }
  }

  return {
    async get<T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, options: CallOptions = {}) {
      const request = { method: 'GET', path: objectPath(kind, key), ...signalOf(options) } as const
      return (await call(`get ${nameOf(kind, key)}`, request)) as T
    },

    async list<T extends KubernetesObject>(kind: Kind<T>, options: ListOptions = {}) {
      const answer = await call(`list ${kind.plural}`, {
        method: 'GET',
        path: collectionPath(kind, options.namespace),
        query: listQuery(options),
        ...signalOf(options),
      })
      return withItemKinds(kind, answer as KubernetesList<T>)
    },

    async *watch<T extends KubernetesObject>(kind: Kind<T>, options: WatchOptions = {}) {
      const what = `watch ${kind.plural}`
      const response = await send(what, {
        method: 'GET',
        path: collectionPath(kind, options.namespace),
        query: watchQuery(options),
        ...signalOf(options),
      })
      for await (const line of linesOf(what, response, options.signal)) {
        yield parseJson(what, line) as WatchEvent<T>
      }
    },

    create: (kind, object, options) => write(createVerb, kind, object, options),
    update: (kind, object, options) => write(updateVerb, kind, object, options),
    updateStatus: (kind, object, options) => write(updateStatusVerb, kind, object, options),

    async patch<T extends KubernetesObject>(
      kind: Kind<T>,
      key: ObjectKey,
      patch: Patch,
      options: WriteOptions & { subresource?: 'status' } = {},
    ) {
      const force = patch.type === 'apply' && patch.force === true
      const what = `patch ${nameOf(kind, key)}${options.subresource ? ` ${options.subresource}` : ''}`
      return (await call(what, {
        method: 'PATCH',
        path: objectPath(kind, key, options.subresource),
        query: { ...writeQuery(options), ...(force && { force: 'true' }) },
        headers: { 'content-type': patchContentTypes[patch.type] },
        body: JSON.stringify(patch.type === 'json' ? patch.operations : patch.body),
        ...signalOf(options),
      })) as T
    },

    async delete(kind, key, options = {}) {
      await call(`delete ${nameOf(kind, key)}`, {
        method: 'DELETE',
        path: objectPath(kind, key),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(deleteBody(options)),
        ...signalOf(options),
      })
    },

    async evict(key, options = {}) {
      await call(`evict ${key.namespace}/${key.name}`, {
        method: 'POST',
        path: objectPath(pods, key, 'eviction'),
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: key,
          deleteOptions: deleteBody(options),
        }),
        ...signalOf(options),
      })
    },
  }
}

interface Write {
  readonly name: string
  readonly method: 'POST' | 'PUT'
  readonly path: (kind: Kind<KubernetesObject>, key: ObjectKey) => string
}

const createVerb: Write = { name: 'create', method: 'POST', path: (kind, key) => collectionPath(kind, key.namespace) }
const updateVerb: Write = { name: 'update', method: 'PUT', path: (kind, key) => objectPath(kind, key) }
const updateStatusVerb: Write = {
  name: 'update status of',
  method: 'PUT',
  path: (kind, key) => objectPath(kind, key, 'status'),
}

const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true }

const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

const keyOf = ({ metadata: { name = '', namespace } }: KubernetesObject): ObjectKey =>
  namespace === undefined ? { name } : { name, namespace }

/** A review, or an object whose name the server makes up, has none yet. */
function nameOf(kind: Kind<KubernetesObject>, { name, namespace }: ObjectKey): string {
  const path = [namespace, name].filter(Boolean).join('/')
  return path === '' ? kind.plural : `${kind.plural} "${path}"`
}

const signalOf = ({ signal }: CallOptions): { signal?: AbortSignal } => (signal ? { signal } : {})

function listQuery(options: ListOptions): Record<string, string> {
  const { labelSelector, fieldSelector, limit, continue: next, resourceVersion, resourceVersionMatch } = options
  return {
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(next !== undefined && { continue: next }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(resourceVersionMatch !== undefined && { resourceVersionMatch }),
  }
}

function watchQuery({
  labelSelector,
  fieldSelector,
  resourceVersion,
  timeoutSeconds,
  sendInitialEvents,
}: WatchOptions): Record<string, string> {
  return {
    watch: 'true',
    allowWatchBookmarks: 'true',
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds: String(timeoutSeconds) }),
    // The match is required beside it, and makes a server without WatchList refuse instead of streaming without an end mark.
    ...(sendInitialEvents && { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }),
  }
}

function deleteBody({ gracePeriodSeconds, propagationPolicy, preconditions, dryRun }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
    ...(dryRun && { dryRun: ['All'] }),
  }
}

/** A list's items come without kind and apiVersion for built-in kinds; owner references and events need them. */
function withItemKinds<T extends KubernetesObject>(kind: Kind<T>, list: KubernetesList<T>): KubernetesList<T> {
  const apiVersion = apiVersionOf(kind)
  const items = (list.items ?? []).map((item) =>
    item.kind === undefined ? { apiVersion, kind: kind.kind, ...item } : item,
  )
  return { ...list, items }
}

async function connected<T>(what: string, signal: AbortSignal | undefined, exchange: () => Promise<T>): Promise<T> {
  try {
    return await exchange()
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new Retryable(`${what}: ${messageOf(error)}`, { cause: error })
  }
}

async function readText(what: string, { body }: TransportResponse, signal?: AbortSignal): Promise<string> {
  return await connected(what, signal, async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks).toString('utf8')
  })
}

async function* linesOf(what: string, { body }: TransportResponse, signal?: AbortSignal): AsyncGenerator<string> {
  try {
    yield* splitLines(body)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw new Retryable(`${what}: ${messageOf(error)}`, { cause: error })
  }
}

/** The text itself stays out of the message: it may be a Secret. */
function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Retryable(`${what}: expected a JSON document, found ${text.length} characters that are not`, {
      cause: error,
    })
  }
}
