import { afterEach, expect, test } from 'vitest'
import { type FakeClock, fakeClock, settle } from '../../test/kube/fakeClock.ts'
import {
  type Answer,
  failure,
  json,
  type ScriptedServer,
  scriptedServer,
  stream,
} from '../../test/kube/scriptedServer.ts'
import { defineKind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { kubeClient } from './client.ts'
import { httpTransport } from './httpTransport.ts'
import { createInformers, type Informers, type InformersOptions } from './informers.ts'
import { type LogFields, silentLog } from './log.ts'

const Thing = defineKind<KubernetesObject>('example.com', 'v1', 'Thing', 'things')
const MachineConfigPool = defineKind<KubernetesObject>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineConfigPool',
  'machineconfigpools',
)
const Node = defineKind<KubernetesObject & { status?: object }>('', 'v1', 'Node', 'nodes')

let server: ScriptedServer
let stop: AbortController
let informers: Informers
let clock: FakeClock

async function start(script: Answer[], options: Partial<InformersOptions> = {}): Promise<void> {
  server = await scriptedServer(failure(422, 'Invalid', 'no WatchList here'), ...script)
  stop = new AbortController()
  clock = fakeClock()
  const kube = kubeClient(httpTransport({ server: server.url }))
  informers = createInformers({ kube, clock, random: () => 0.5, signal: stop.signal, ...options })
}

afterEach(async () => {
  stop.abort(new Error('stopping'))
  await informers.stopped()
  await server.close()
})

async function pass(requests: number): Promise<void> {
  while (server.requests.length < requests) await clock.advance(clock.waits[0] ?? 0)
}

const list = (...items: KubernetesObject[]) => json({ metadata: { resourceVersion: '1' }, items })

test('a cache that is not complete refuses to be read, and is complete later', async () => {
  await start([list({ metadata: { name: 'a' } }), stream([])])
  expect(() => informers.cache.list(Thing)).toThrow('the cache of things is not complete yet')
  await pass(3)
  await informers.synced(stop.signal, [Thing])
  expect(informers.cache.get(Thing, { name: 'a' })?.metadata.name).toBe('a')
  expect(informers.cache.get(Thing, { name: 'b' })).toBeUndefined()
})

test('two users of a kind share one reflector and one index', async () => {
  await start([list({ metadata: { name: 'a', labels: { pool: 'worker' } } }), stream([])])
  informers.use(Thing)
  informers.use(Thing)
  informers.addIndex(Thing, 'pool', ({ metadata }) => [metadata.labels?.pool ?? ''])
  await pass(3)
  await settle()
  expect(informers.cache.byIndex(Thing, 'pool', 'worker')).toHaveLength(1)
  expect(server.requests.map(({ path }) => path)).toEqual(Array(3).fill('/apis/example.com/v1/things'))
})

test('a scope narrows what is asked for', async () => {
  await start([list(), stream([])], { scopeOf: () => ({ fieldSelector: 'metadata.name=a' }) })
  informers.use(Thing)
  await pass(3)
  expect(server.requests.map(({ query }) => query.get('fieldSelector'))).toEqual(Array(3).fill('metadata.name=a'))
})

test('managedFields and the images of nodes are not kept', async () => {
  const node = { metadata: { name: 'n', managedFields: [{ manager: 'x' }] }, status: { images: [1], phase: 'on' } }
  await start([list(node), stream([])])
  informers.use(Node)
  await pass(3)
  await informers.synced(stop.signal)
  expect(informers.cache.list(Node)).toEqual([
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: { phase: 'on' } },
  ])
})

test('the managedFields of pools are kept: a pause has its time there', async () => {
  const metadata = { name: 'worker', managedFields: [{ manager: 'kubectl', time: '2026-01-01T00:00:00Z' }] }
  await start([list({ metadata }), stream([])])
  informers.use(MachineConfigPool)
  await pass(3)
  await informers.synced(stop.signal)
  expect(informers.cache.list(MachineConfigPool)).toMatchObject([{ kind: 'MachineConfigPool', metadata }])
})

test('an optional kind that the server does not know is complete and empty, and appears later', async () => {
  await start([failure(404, 'NotFound', 'page not found'), list({ metadata: { name: 'a' } }), stream([])], {
    isOptional: () => true,
  })
  informers.use(Thing)
  await pass(2)
  await informers.synced(stop.signal, [Thing])
  expect(informers.cache.list(Thing)).toEqual([])
  await pass(4)
  expect(informers.cache.list(Thing)).toHaveLength(1)
})

test('a required kind that the server does not know is never complete', async () => {
  await start([failure(404, 'NotFound', 'page not found'), failure(404, 'NotFound', 'page not found')])
  informers.use(Thing)
  await pass(3)
  await settle()
  expect(informers.hasSynced(Thing)).toBe(false)
})

test('synced rejects with the reason of its signal', async () => {
  await start([])
  informers.use(Thing)
  const giveUp = new AbortController()
  const waiting = informers.synced(giveUp.signal, [Thing])
  giveUp.abort(new Error('too long'))
  await expect(waiting).rejects.toThrow('too long')
})

test('a kind that cannot be watched is named in the log', async () => {
  const kinds: unknown[] = []
  const say = (_message: string, fields: LogFields = {}) => void kinds.push(fields.kind)
  await start([failure(500, 'InternalError', 'not today'), failure(500, 'InternalError', 'not today')], {
    log: { ...silentLog, debug: say, warn: say },
  })
  informers.use(Thing)
  await pass(3)
  expect(kinds[0]).toBe('Thing')
})
