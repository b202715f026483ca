import { randomBytes, randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../../kube/clock.ts'
import { ApiDocuments } from '../openapi/documents.ts'
import type { Collection } from '../store/collection.ts'
import { Database } from '../store/database.ts'
import type { HistoryLimits } from '../store/history.ts'
import type { RevisionStore } from '../store/revisionStore.ts'
import { type Admit, admitAll, admitChain } from './admission.ts'
import {
  type ApiRequest,
  type ApiResponse,
  anonymous,
  bytesResponse,
  type Identity,
  jsonResponse,
} from './apiRequest.ts'
import { type Attributes, authorizer, requireAuthorized } from './authorize.ts'
import { Broadcast } from './broadcast.ts'
import { ContainerCleanup } from './containerCleanup.ts'
import type { Ids, ServerContext } from './context.ts'
import { serveDefinitions } from './definitionLifecycle.ts'
import { expireEvents } from './eventExpiry.ts'
import { GarbageCollector } from './garbageCollector.ts'
import { impersonate } from './impersonate.ts'
import { restrictNodes } from './nodeRestriction.ts'
import { handlePath, serverVersion } from './pathHandler.ts'
import { rbacAuthorizer } from './rbac.ts'
import { ResourceRegistry } from './registry.ts'
import { parseResourceRequest, type ResourceRequest } from './requestInfo.ts'
import type { ResourceDefinition } from './resource.ts'
import { handleResource } from './resourceHandler.ts'
import { ServiceAccountTokens } from './serviceAccountTokens.ts'
import { internalError, noSuchResource, StatusError, unauthorized } from './statusError.ts'
import { createSystemObjects } from './systemObjects.ts'

export interface ApiServerOptions {
  readonly store: RevisionStore
  readonly builtins: readonly ResourceDefinition[]
  readonly clock?: Clock
  readonly ids?: Ids
  readonly admit?: Admit
  readonly random?: () => number
  readonly historyLimits?: HistoryLimits
  /** Who a bearer token stands for; undefined: nobody, the request is refused. */
  readonly authenticateToken?: (token: string) => Identity | undefined
  /** Signs service account tokens; without it tokens do not outlive the process. */
  readonly serviceAccountKeyPem?: string
  /** Told about failures that are our own, which the client sees as 500. */
  readonly onFault?: (error: unknown, request: { readonly method: string; readonly url: string }) => void
}

/** The API server without a transport. */
export interface ApiServer {
  readonly context: ServerContext
  handle(request: ApiRequest): Promise<ApiResponse>
  /** Resolves when the server's own controllers (garbage collection, namespace and kind removal) have nothing to do. */
  idle(): Promise<void>
  close(): Promise<void>
}

export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { clock = systemClock, ids = randomIds, admit = admitAll, random = Math.random, historyLimits } = options
  const database = await Database.open(options.store, {
    nowMs: () => clock.now().getTime(),
    ...(historyLimits ? { limits: historyLimits } : {}),
  })
  const registry = new ResourceRegistry(options.builtins)
  const broadcasts = new Map<string, Broadcast>()
  const broadcastOf = (collection: Collection): Broadcast => {
    const found = broadcasts.get(collection.id) ?? new Broadcast(collection)
    broadcasts.set(collection.id, found)
    return found
  }
  const authorize = authorizer(rbacAuthorizer(database))
  const documents = new ApiDocuments(registry, { version: serverVersion.gitVersion })
  const tokens = new ServiceAccountTokens(database, () => clock.now(), options.serviceAccountKeyPem)
  const authenticateToken = (token: string) =>
    withAuthenticated(options.authenticateToken?.(token) ?? tokens.authenticate(token))
  const context: ServerContext = {
    database,
    registry,
    clock,
    ids,
    admit: admitChain([restrictNodes, admit]),
    random,
    broadcastOf,
    authorize,
    authenticateToken,
    tokens,
    documents,
  }

  serveDefinitions(context)
  await createSystemObjects(context)
  const onFault = (error: unknown) => options.onFault?.(error, { method: '', url: '' })
  const collector = new GarbageCollector(context, onFault)
  const cleanup = new ContainerCleanup(context, onFault)
  const closing = new AbortController()
  const expiring = expireEvents(context, closing.signal).catch((error: unknown) => {
    if (!closing.signal.aborted) onFault(error)
  })

  return {
    context,
    handle: (request) => answer(context, options, request),
    async idle() {
      await Promise.all([collector.idle(), cleanup.idle()])
    },
    async close() {
      for (const broadcast of broadcasts.values()) broadcast.end()
      closing.abort()
      await Promise.all([collector.stop(), cleanup.stop(), expiring])
      await database.close()
    },
  }
}

async function answer(context: ServerContext, options: ApiServerOptions, request: ApiRequest): Promise<ApiResponse> {
  try {
    const response = await route(context, request)
    return { ...response, headers: { 'cache-control': 'no-cache, private', ...response.headers } }
  } catch (error) {
    if (!(error instanceof StatusError)) options.onFault?.(error, request)
    const known = error instanceof StatusError ? error : internalError('see the log of the API server')
    // An answer such as "already exists" may rest on a write that is not on the disk yet; it must not get ahead of it.
    if (known.code === 409 || known.code === 404) await context.database.settled()
    return jsonResponse(known.code, known.status, { 'cache-control': 'no-cache, private', ...known.headers })
  }
}

async function route(context: ServerContext, request: ApiRequest): Promise<ApiResponse> {
  const { path, query } = splitUrl(request.url)
  const sender = request.identity ?? identityOf(request, context)
  const identity = impersonate(sender, request.headers, context.authorize)
  const info = parseResourceRequest(request.method, path, query)
  if (!info) {
    requireAuthorized(context.authorize, identity, { kind: 'path', verb: request.method.toLowerCase(), path })
    return handlePath(context, request, path, query)
  }
  requireAuthorized(context.authorize, identity, attributesOf(info))
  const resource = context.registry.find(info.group, info.version, info.plural)
  if (!resource) throw noSuchResource()
  const response = await handleResource(context, request, info, resource, query, identity)
  return request.method === 'HEAD' ? bytesResponse(response.status, Buffer.alloc(0), response.headers) : response
}

function splitUrl(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const mark = url.indexOf('?')
  return mark < 0
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) }
}

function identityOf({ headers }: ApiRequest, { authenticateToken }: ServerContext): Identity {
  const header = headers.authorization
  if (header === undefined) return anonymous
  const token = /^Bearer\s+(\S+)$/i.exec(header)?.[1]
  const identity = token === undefined ? undefined : authenticateToken(token)
  if (!identity) throw unauthorized()
  return identity
}

const withAuthenticated = (identity: Identity | undefined): Identity | undefined =>
  identity && { ...identity, groups: [...new Set([...identity.groups, 'system:authenticated'])] }

const attributesOf = ({ verb, group, plural, subresource, namespace, name }: ResourceRequest): Attributes => ({
  kind: 'resource',
  verb,
  group,
  plural,
  subresource,
  namespace,
  name,
})

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** Random names. The alphabet has no vowels, as the API server's: generated names spell nothing. */
const randomIds: Ids = {
  uid: () => randomUUID(),
  suffix: () => [...randomBytes(5)].map((byte) => suffixAlphabet[byte % suffixAlphabet.length]).join(''),
}
