import { afterEach, describe, expect, test } from 'vitest'
import { failure, json, type ScriptedServer, scriptedServer, stream } from '../../test/kube/scriptedServer.ts'
import { defineKind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { kubeClient } from './client.ts'
import { Retryable } from './errors.ts'
import { httpTransport } from './httpTransport.ts'
import { ApiError, isNotFound, type KubeApi } from './kubeApi.ts'

interface Thing extends KubernetesObject {
  readonly spec?: { readonly size: number }
}
const Thing = defineKind<Thing>('example.com', 'v1', 'Thing', 'things')
const Pod = defineKind<KubernetesObject>('', 'v1', 'Pod', 'pods', { namespaced: true })

let server: ScriptedServer
afterEach(() => server.close())

async function clientFor(...answers: Parameters<typeof scriptedServer>): Promise<KubeApi> {
  server = await scriptedServer(...answers)
  return kubeClient(httpTransport({ server: server.url }), { userAgent: 'test/1', fieldManager: 'tester' })
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('kubeClient addresses', () => {
  const thing: Thing = { metadata: { name: 'a' }, spec: { size: 1 } }
  const pod: KubernetesObject = { metadata: { name: 'p', namespace: 'ns' } }
  const rows: [string, (kube: KubeApi) => Promise<unknown>, string, string][] = [
    [
      'get of the core group',
      (kube) => kube.get(Pod, { name: 'p', namespace: 'ns' }),
      'GET',
      '/api/v1/namespaces/ns/pods/p',
    ],
    ['get of a named group', (kube) => kube.get(Thing, { name: 'a' }), 'GET', '/apis/example.com/v1/things/a'],
    ['list of all namespaces', (kube) => kube.list(Pod), 'GET', '/api/v1/pods'],
    ['list of one namespace', (kube) => kube.list(Pod, { namespace: 'ns' }), 'GET', '/api/v1/namespaces/ns/pods'],
    ['create', (kube) => kube.create(Pod, pod), 'POST', '/api/v1/namespaces/ns/pods'],
    ['update', (kube) => kube.update(Thing, thing), 'PUT', '/apis/example.com/v1/things/a'],
    ['updateStatus', (kube) => kube.updateStatus(Thing, thing), 'PUT', '/apis/example.com/v1/things/a/status'],
    [
      'patch of a status',
      (kube) => kube.patch(Thing, { name: 'a' }, { type: 'merge', body: {} }, { subresource: 'status' }),
      'PATCH',
      '/apis/example.com/v1/things/a/status',
    ],
    ['delete', (kube) => kube.delete(Thing, { name: 'a' }), 'DELETE', '/apis/example.com/v1/things/a'],
    ['evict', (kube) => kube.evict({ name: 'p', namespace: 'ns' }), 'POST', '/api/v1/namespaces/ns/pods/p/eviction'],
  ]
  test.each(rows)('%s', async (_, act, method, path) => {
    const kube = await clientFor(json({ metadata: {}, items: [] }))
    await act(kube)
    expect(server.requests.map((request) => [request.method, request.path])).toEqual([[method, path]])
  })
})

test('create sends kind, apiVersion, the field manager and dryRun', async () => {
  const kube = await clientFor(json({}))
  await kube.create(Thing, { metadata: { name: 'a' } }, { dryRun: true })
  const [request] = server.requests
  expect(JSON.parse(request?.body ?? '')).toEqual({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
  })
  expect(request?.query.toString()).toBe('fieldManager=tester&dryRun=All')
  expect(request?.headers['user-agent']).toBe('test/1')
})

test.each([
  [
    { type: 'json', operations: [{ op: 'remove', path: '/a' }] },
    'application/json-patch+json',
    '[{"op":"remove","path":"/a"}]',
    null,
  ],
  [{ type: 'merge', body: { a: 1 } }, 'application/merge-patch+json', '{"a":1}', null],
  [{ type: 'strategic', body: { a: 1 } }, 'application/strategic-merge-patch+json', '{"a":1}', null],
  [{ type: 'apply', body: { a: 1 }, force: true }, 'application/apply-patch+yaml', '{"a":1}', 'true'],
] as const)('patch of type $type goes out in its own content type', async (patch, contentType, body, force) => {
  const kube = await clientFor(json({}))
  await kube.patch(Thing, { name: 'a' }, patch)
  const [request] = server.requests
  expect([request?.headers['content-type'], request?.body, request?.query.get('force')]).toEqual([
    contentType,
    body,
    force,
  ])
})

test('list gives every item its kind, which the server leaves out for built-in kinds', async () => {
  const kube = await clientFor(
    json({ metadata: { resourceVersion: '5', continue: 'next' }, items: [{ metadata: { name: 'p' } }] }),
  )
  const list = await kube.list(Pod, { limit: 1 })
  expect(list).toEqual({
    metadata: { resourceVersion: '5', continue: 'next' },
    items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }],
  })
})

test('evict sends delete options with preconditions', async () => {
  const kube = await clientFor(json({}))
  await kube.evict({ name: 'p', namespace: 'ns' }, { gracePeriodSeconds: 5, preconditions: { uid: 'u' } })
  expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p', namespace: 'ns' },
    deleteOptions: { gracePeriodSeconds: 5, preconditions: { uid: 'u' } },
  })
})

test('an answer that is no success becomes an ApiError that names verb and object', async () => {
  const kube = await clientFor(failure(404, 'NotFound', 'things.example.com "a" not found'))
  const error = await caught(kube.get(Thing, { name: 'a' }))
  expect(isNotFound(error)).toBe(true)
  expect(error).toMatchObject({ reason: 'NotFound', message: 'get things "a": things.example.com "a" not found' })
})

test('a proxy error page becomes an ApiError with the status code, without the page', async () => {
  const kube = await clientFor((response) => void response.writeHead(502).end('<html>secret</html>'))
  const error = await caught(kube.get(Thing, { name: 'a' }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 502, message: 'get things "a": the server answered 502' })
})

test('Retry-After reaches the details', async () => {
  const kube = await clientFor(json({ kind: 'Status', message: 'slow down' }, 429, { 'retry-after': '7' }))
  expect(await caught(kube.get(Thing, { name: 'a' }))).toMatchObject({ status: 429, details: { retryAfterSeconds: 7 } })
})

test('a refused connection is Retryable and names verb and object', async () => {
  const kube = await clientFor()
  await server.close()
  const error = await caught(kube.delete(Pod, { name: 'p', namespace: 'ns' }))
  expect(error).toBeInstanceOf(Retryable)
  expect((error as Error).message).toMatch(/^delete pods "ns\/p": connect ECONNREFUSED/)
})

test('a connection cut within the body is Retryable', async () => {
  const kube = await clientFor((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"items":', () => response.socket?.resetAndDestroy())
  })
  expect(await caught(kube.list(Thing))).toBeInstanceOf(Retryable)
})

test('a body that is not JSON is Retryable and is not quoted', async () => {
  const kube = await clientFor((response) => void response.end('password'))
  const error = await caught(kube.get(Thing, { name: 'a' }))
  expect(error).toMatchObject({
    name: 'Retryable',
    message: 'get things "a": expected a JSON document, found 8 characters that are not',
  })
})

test('a server that accepts and stays silent is Retryable after the idle timeout', async () => {
  server = await scriptedServer(() => undefined)
  const kube = kubeClient(httpTransport({ server: server.url }), { idleTimeoutMs: 20 })
  const error = await caught(kube.get(Thing, { name: 'a' }))
  expect(error).toMatchObject({ name: 'Retryable', message: 'get things "a": the peer was silent for 20 ms' })
})

test('an aborted call rejects with the reason of the signal', async () => {
  const kube = await clientFor(() => undefined)
  const stop = new AbortController()
  const call = caught(kube.get(Thing, { name: 'a' }, { signal: stop.signal }))
  await server.seen(1)
  stop.abort(new Error('stopping'))
  expect(await call).toMatchObject({ message: 'stopping' })
})

test('watch asks for bookmarks and yields the events in order until the server closes', async () => {
  const events = [
    { type: 'ADDED', object: { metadata: { name: 'a' } } },
    { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } },
  ]
  const kube = await clientFor(stream(events, 'close'))
  const seen: unknown[] = []
  for await (const event of kube.watch(Thing, { resourceVersion: '5', timeoutSeconds: 300 })) seen.push(event)
  expect(seen).toEqual(events)
  expect(server.requests[0]?.query.toString()).toBe(
    'watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300',
  )
})

test('watch rejects with the reason of the signal while the peer is silent', async () => {
  const kube = await clientFor(stream([]))
  const stop = new AbortController()
  const watch = kube.watch(Thing, { signal: stop.signal })[Symbol.asyncIterator]()
  const next = caught(watch.next())
  await server.seen(1)
  setImmediate(() => stop.abort(new Error('stopping')))
  expect(await next).toMatchObject({ message: 'stopping' })
})

test('leaving a watch closes its connection', async () => {
  let onClose: () => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const kube = await clientFor((response, request) => {
    response.on('close', onClose)
    stream([{ type: 'ADDED', object: { metadata: { name: 'a' } } }])(response, request)
  })
  for await (const event of kube.watch(Thing)) {
    expect(event.type).toBe('ADDED')
    break
  }
  await gone
})

test.each([
  ['a namespaced kind without a namespace', () => ({ kind: Pod, key: { name: 'p' } }), 'Pod "p" needs a namespace'],
  ['an empty name', () => ({ kind: Thing, key: { name: '' } }), 'would address the whole collection'],
])('delete refuses %s before anything is sent', async (_, target, message) => {
  const kube = await clientFor()
  const { kind, key } = target()
  expect(await caught(kube.delete(kind, key))).toMatchObject({ message: expect.stringContaining(message) })
  expect(server.requests).toEqual([])
})
