import { afterEach, describe, expect, test } from 'vitest'
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
import { reflect } from './reflector.ts'
import { Store } from './store.ts'

const Thing = defineKind<KubernetesObject>('example.com', 'v1', 'Thing', 'things')

const thing = (name: string, resourceVersion: string): KubernetesObject => ({
  metadata: { name, resourceVersion, uid: name },
})
const event = (type: string, name: string, resourceVersion: string) => ({ type, object: thing(name, resourceVersion) })
const added = (name: string, version: string) => event('ADDED', name, version)
const bookmark = (resourceVersion: string) => ({ type: 'BOOKMARK', object: { metadata: { resourceVersion } } })
const gone = {
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old resource version' },
}
const list = (version: string, ...names: string[]): Answer =>
  json({ metadata: { resourceVersion: version }, items: names.map((name) => thing(name, version)) })

interface Running {
  readonly server: ScriptedServer
  readonly clock: FakeClock
  readonly store: Store<KubernetesObject>
  readonly seen: string[]
  readonly failures: string[]
  stop(): Promise<void>
}

let running: Running | undefined
afterEach(async () => {
  await running?.stop()
  running = undefined
})

async function start(script: readonly Answer[], { watchList = false, pageSize = 500 } = {}): Promise<Running> {
  const server = await scriptedServer(...script)
  const transport = httpTransport({ server: server.url })
  const clock = fakeClock()
  const end = new AbortController()
  const store = new Store<KubernetesObject>((error) => {
    throw error
  })
  const seen: string[] = []
  const failures: string[] = []
  store.subscribe(({ old, now }) => {
    const what = now === undefined ? '-' : old === undefined ? '+' : '~'
    seen.push(`${what}${(now ?? old)?.metadata.name}`)
  })
  const done = reflect(
    {
      kube: kubeClient(transport),
      kind: Thing,
      sink: store,
      clock,
      random: () => 0.5,
      watchList,
      pageSize,
      onFailure: (error) => failures.push(error instanceof Error ? error.message : String(error)),
    },
    end.signal,
  )
  running = {
    server,
    clock,
    store,
    seen,
    failures,
    stop: async () => {
      end.abort(new Error('stopping'))
      await done
      transport.close()
      await server.close()
    },
  }
  return running
}

/** Lets back-off waits pass until the server has been asked `count` times, then what it sent arrive. */
async function until({ server, clock }: Running, count: number): Promise<void> {
  while (server.requests.length < count) {
    const shortest = clock.waits[0]
    if (shortest !== undefined && shortest <= 45_000) await clock.advance(shortest)
    else await settle()
  }
  for (let turn = 0; turn < 4; turn++) await settle()
}

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await settle()
}

const asked = ({ server }: Running) =>
  server.requests.map(({ query }) =>
    query.get('watch') === null
      ? `list${query.has('limit') ? '' : ' whole'}${query.has('continue') ? ` ${query.get('continue')}` : ''}`
      : query.has('sendInitialEvents')
        ? 'stream'
        : `watch ${query.get('resourceVersion')}`,
  )

describe('reflect survives', () => {
  test('a graceful close: it watches on from the last event', async () => {
    const run = await start([
      list('1', 'a'),
      stream([added('b', '2'), bookmark('5')], 'close'),
      stream([added('c', '6')]),
    ])
    await until(run, 3)
    await eventually(() => run.seen.length === 3)
    expect(asked(run)).toEqual(['list', 'watch 1', 'watch 5'])
    expect(run.seen).toEqual(['+a', '+b', '+c'])
    expect(run.failures).toEqual([])
  })

  test('410 as an event: it lists anew and reports only what differs', async () => {
    const run = await start([
      list('1', 'a', 'b'),
      stream([gone]),
      json({ metadata: { resourceVersion: '9' }, items: [thing('a', '1'), thing('c', '8')] }),
      stream([]),
    ])
    await until(run, 4)
    expect(asked(run)).toEqual(['list', 'watch 1', 'list', 'watch 9'])
    expect(run.seen).toEqual(['+a', '+b', '+c', '-b'])
  })

  test('410 as a status: it lists anew', async () => {
    const run = await start([
      list('1', 'a'),
      failure(410, 'Expired', 'too old resource version'),
      list('9', 'a'),
      stream([]),
    ])
    await until(run, 4)
    expect(asked(run)).toEqual(['list', 'watch 1', 'list', 'watch 9'])
  })

  test('500 on a re-watch: it keeps the version', async () => {
    const run = await start([
      list('1', 'a'),
      stream([added('b', '2')], 'close'),
      failure(500, 'InternalError', 'etcd'),
      failure(500, 'InternalError', 'etcd'),
      stream([added('c', '3')]),
    ])
    await until(run, 5)
    await eventually(() => run.seen.length === 3)
    expect(asked(run)).toEqual(['list', 'watch 1', 'watch 2', 'watch 2', 'watch 2'])
    expect(run.failures).toEqual(['watch things: etcd', 'watch things: etcd'])
  })

  test('a TCP reset: it keeps the version', async () => {
    const run = await start([list('1', 'a'), stream([added('b', '2')], 'reset'), stream([added('c', '3')])])
    await until(run, 3)
    await eventually(() => run.seen.length === 3)
    expect(asked(run)).toEqual(['list', 'watch 1', 'watch 2'])
    expect(run.failures).toHaveLength(1)
  })

  test('410 and then 500 on the list: it lists until it succeeds, and keeps what it has', async () => {
    const run = await start([
      list('1', 'a'),
      stream([gone]),
      failure(500, 'InternalError', 'etcd'),
      failure(503, 'ServiceUnavailable', 'later'),
      list('9', 'a', 'b'),
      stream([]),
    ])
    await until(run, 4)
    expect(run.store.list().map(({ metadata }) => metadata.name)).toEqual(['a'])
    await until(run, 6)
    expect(asked(run)).toEqual(['list', 'watch 1', 'list', 'list', 'list', 'watch 9'])
    expect(run.store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  })

  test('a peer that is silent: it gives up 5 s after the server should have closed', async () => {
    const run = await start([list('1', 'a'), stream([added('b', '2')], 'silence'), stream([])])
    await until(run, 2)
    await eventually(() => run.seen.length === 2)
    expect(run.server.requests[1]?.query.get('timeoutSeconds')).toBe('450')
    await run.clock.advance(454_999)
    expect(run.failures).toEqual([])
    await run.clock.advance(1)
    await until(run, 3)
    expect(asked(run)).toEqual(['list', 'watch 1', 'watch 2'])
    expect(run.failures).toEqual(['the peer was silent for 455000 ms'])
  })

  test('a line that is no JSON: it watches on from the last good event', async () => {
    const run = await start([list('1', 'a'), stream([added('b', '2')], 'garbage'), stream([])])
    await until(run, 3)
    expect(asked(run)).toEqual(['list', 'watch 1', 'watch 2'])
    expect(run.failures).toEqual(['watch things: expected a JSON document, found 14 characters that are not'])
  })

  test.each([
    ['an event of an unknown type', { type: 'SURPRISE', object: thing('x', '5') }],
    ['an event without an object', { type: 'ADDED' }],
    ['an error that is not 410', { type: 'ERROR', object: { kind: 'Status', code: 500, message: 'boom' } }],
  ])('%s: it watches on from the last good event', async (_, surprise) => {
    const run = await start([list('1', 'a'), stream([added('b', '2'), surprise]), stream([])])
    await until(run, 3)
    expect(asked(run)).toEqual(['list', 'watch 1', 'watch 2'])
    expect(run.failures).toHaveLength(1)
  })

  test('a server that closes at once: the waits grow', async () => {
    const run = await start([list('1', 'a'), stream([], 'close'), stream([], 'close'), stream([], 'close'), stream([])])
    const waits: number[] = []
    for (let request = 2; request <= 4; request++) {
      await run.server.seen(request)
      await eventually(() => run.clock.waits.some((ms) => ms < 45_000))
      waits.push(...run.clock.waits)
      await run.clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([800, 1600, 3200])
  })
})

describe('reflect reads the present state', () => {
  test('in pages, and shows nothing before the last', async () => {
    const first = json({ metadata: { resourceVersion: '4', continue: 'p2' }, items: [thing('a', '1')] })
    let answerSecond: () => void = () => undefined
    const second: Answer = (response, request) => {
      answerSecond = () => list('4', 'b')(response, request)
    }
    const run = await start([first, second, stream([])], { pageSize: 1 })
    await until(run, 2)
    expect(run.seen).toEqual([])
    answerSecond()
    await until(run, 3)
    expect(asked(run)).toEqual(['list', 'list p2', 'watch 4'])
    expect(run.seen).toEqual(['+a', '+b'])
  })

  test('without pages when a continue token expired', async () => {
    const first = json({ metadata: { resourceVersion: '4', continue: 'p2' }, items: [thing('a', '1')] })
    const run = await start([first, failure(410, 'Expired', 'continue token'), list('6', 'a', 'b'), stream([])])
    await until(run, 4)
    expect(asked(run)).toEqual(['list', 'list p2', 'list whole', 'watch 6'])
    expect(run.seen).toEqual(['+a', '+b'])
  })

  test('as a stream, and watches on in it after the end mark', async () => {
    const mark = {
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '4', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    }
    const run = await start(
      [
        stream([added('a', '1'), added('b', '2'), bookmark('3'), mark, event('DELETED', 'a', '5')], 'close'),
        stream([]),
      ],
      { watchList: true },
    )
    await until(run, 2)
    expect(asked(run)).toEqual(['stream', 'watch 5'])
    expect(run.seen).toEqual(['+a', '+b', '-a'])
  })

  test('as a list when the server refuses streams, once and for all', async () => {
    const run = await start(
      [
        failure(422, 'Invalid', 'sendInitialEvents: Forbidden'),
        list('1', 'a'),
        stream([gone]),
        list('9', 'a'),
        stream([]),
      ],
      { watchList: true },
    )
    await until(run, 5)
    expect(asked(run)).toEqual(['stream', 'list', 'watch 1', 'list', 'watch 9'])
  })

  test('as a list when a stream ends before its end mark, and shows none of it', async () => {
    const run = await start([stream([added('x', '1')], 'close'), list('3', 'a'), stream([])], { watchList: true })
    await until(run, 3)
    expect(asked(run)).toEqual(['stream', 'list', 'watch 3'])
    expect(run.seen).toEqual(['+a'])
  })
})
