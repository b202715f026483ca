import { afterEach, describe, expect, test } from 'vitest'
import { type FakeClock, fakeClock, settle } from '../../test/kube/fakeClock.ts'
import { type Answer, failure, json, type ScriptedServer, scriptedServer } from '../../test/kube/scriptedServer.ts'
import { kubeClient } from './client.ts'
import { type RunningEventRecorder, startEventRecorder } from './eventRecorder.ts'
import { httpTransport } from './httpTransport.ts'
import { noMetrics } from './metrics.ts'

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-0', uid: 'u-0' } }
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', uid: 'u-1' } }

let server: ScriptedServer
let clock: FakeClock
let recorder: RunningEventRecorder
let dropped: string[]
let warnings: string[]

async function start(...script: Answer[]): Promise<void> {
  server = await scriptedServer(...script)
  clock = fakeClock()
  dropped = []
  warnings = []
  recorder = startEventRecorder({
    kube: kubeClient(httpTransport({ server: server.url })),
    clock,
    random: () => 0.5,
    component: 'machineconfigcontroller',
    metrics: { ...noMetrics, eventDropped: (cause) => void dropped.push(cause) },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message, fields) => void warnings.push(`${message}: ${fields?.error}`),
      error: (message) => void warnings.push(message),
    },
  })
}

afterEach(async () => {
  const closed = recorder.close()
  await settle()
  await clock.advance(5_000)
  await closed
  await server.close()
})

const bodies = () => server.requests.map(({ body }) => JSON.parse(body))
const paths = () => server.requests.map(({ method, path }) => `${method} ${path.replace(/\.[0-9a-f]+$/, '.HEX')}`)

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await settle()
}

describe('startEventRecorder', () => {
  test('writes an event about a cluster-scoped object into the operator namespace', async () => {
    await start(json({}))
    recorder.event(node, 'Normal', 'Drain', 'draining')
    await server.seen(1)
    expect(paths()).toEqual(['POST /api/v1/namespaces/openshift-machine-config-operator/events'])
    expect(bodies()).toMatchObject([
      {
        metadata: { name: expect.stringMatching(/^worker-0\.[0-9a-f]+$/) },
        involvedObject: {
          apiVersion: 'v1',
          kind: 'Node',
          name: 'worker-0',
          namespace: 'openshift-machine-config-operator',
          uid: 'u-0',
        },
        type: 'Normal',
        reason: 'Drain',
        message: 'draining',
        source: { component: 'machineconfigcontroller' },
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        count: 1,
      },
    ])
  })

  test('writes an event about a namespaced object beside it', async () => {
    await start(json({}))
    recorder.event(pod, 'Warning', 'FailedToEvict', 'no budget')
    await server.seen(1)
    expect(paths()).toEqual(['POST /api/v1/namespaces/shop/events'])
  })

  test('counts a repetition on the event that exists', async () => {
    await start(json({}), json({}))
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await server.seen(1)
    await eventually(() => server.requests.length === 1)
    await settle()
    await clock.advance(2_000)
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await server.seen(2)
    expect(paths()[1]).toBe('PATCH /api/v1/namespaces/shop/events/web.HEX')
    expect(bodies()[1]).toEqual({ count: 2, lastTimestamp: '2026-01-01T00:00:02Z', message: 'draining' })
  })

  test('makes one write of repetitions that wait for the same slow server', async () => {
    let release: () => void = () => undefined
    await start((response, request) => {
      release = () => json({})(response, request)
    }, json({}))
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await server.seen(1)
    for (let count = 0; count < 4; count++) recorder.event(pod, 'Normal', 'Drain', 'draining')
    release()
    await server.seen(2)
    await settle()
    expect(bodies().map(({ count }) => count)).toEqual([1, 5])
  })

  test('creates the event anew with its count when it has expired', async () => {
    await start(json({}), failure(404, 'NotFound', 'gone'), json({}))
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await server.seen(1)
    await settle()
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await server.seen(3)
    expect([paths()[2], bodies()[2].count]).toEqual(['POST /api/v1/namespaces/shop/events', 2])
  })

  test('tries again after a passing failure', async () => {
    await start(failure(500, 'InternalError', 'etcd'), json({}))
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await clock.sleeping()
    expect(clock.waits).toEqual([1000])
    await clock.advance(1000)
    await server.seen(2)
    expect([dropped, warnings]).toEqual([[], []])
  })

  test('gives up after five failures, counts and logs it, and goes on with the next', async () => {
    await start(...Array.from({ length: 5 }, () => failure(500, 'InternalError', 'etcd')), json({}))
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    recorder.event(node, 'Normal', 'Other', 'fine')
    while (server.requests.length < 6) await clock.advance(10_000)
    expect(dropped).toEqual(['failure'])
    expect(warnings[0]).toMatch(/^an event was not written: create events "shop\/web\.[0-9a-f]+": etcd$/)
    expect(bodies()[5].reason).toBe('Other')
  })

  test('gives up at once when the server refuses', async () => {
    await start(failure(403, 'Forbidden', 'no'))
    recorder.event(pod, 'Normal', 'Drain', 'draining')
    await eventually(() => warnings.length === 1)
    expect([dropped, server.requests.length]).toEqual([['failure'], 1])
  })

  test('never throws into its caller, also for an object without a kind', async () => {
    await start()
    recorder.event({ metadata: { name: 'x' } }, 'Normal', 'Drain', 'draining')
    expect(warnings).toEqual(['an event about an object without apiVersion, kind or name'])
  })

  test('close writes what waits, but not longer than it may', async () => {
    await start(json({}), () => undefined)
    recorder.event(pod, 'Normal', 'First', 'x')
    recorder.event(pod, 'Normal', 'Second', 'x')
    const closed = recorder.close(3_000)
    await server.seen(2)
    await clock.advance(3_000)
    await closed
    expect(bodies().map(({ reason }) => reason)).toEqual(['First', 'Second'])
    expect(dropped).toEqual(['failure'])
  })
})
