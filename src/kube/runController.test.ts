import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { type FakeClock, fakeClock, settle } from '../../test/kube/fakeClock.ts'
import { json, type ScriptedServer, scriptedServer } from '../../test/kube/scriptedServer.ts'
import { defineKind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { kubeClient } from './client.ts'
import { again, type Controller, type Outcome, own, settled } from './controller.ts'
import { Invalid, Retryable, Terminal, Waiting } from './errors.ts'
import { httpTransport } from './httpTransport.ts'
import { createInformers } from './informers.ts'
import { ApiError } from './kubeApi.ts'
import type { LogFields } from './log.ts'
import { noMetrics } from './metrics.ts'
import { runController } from './runController.ts'

const Thing = defineKind<KubernetesObject>('example.com', 'v1', 'Thing', 'things')
const item = (name: string, resourceVersion = '1'): KubernetesObject => ({
  metadata: { name, resourceVersion, uid: name },
})

interface Running {
  readonly clock: FakeClock
  readonly keys: string[]
  readonly results: string[]
  readonly logs: string[]
  change(name: string, version: string): void
  readonly stop: AbortController
  readonly done: Promise<void>
}

let cleanUp: () => Promise<void>
afterEach(() => cleanUp())

/** A controller over two things, `a` and `b`, that is told what to answer per key. */
async function start(
  answer: (key: string, signal: AbortSignal) => Promise<Outcome> | Outcome,
  options: Partial<Controller> = {},
): Promise<Running> {
  let watch: ServerResponse | undefined
  const server: ScriptedServer = await scriptedServer(
    json({ kind: 'Status' }, 422),
    json({ metadata: { resourceVersion: '1' }, items: [item('a'), item('b')] }),
    (response) => {
      watch = response
      response.writeHead(200).flushHeaders()
    },
  )
  const stop = new AbortController()
  const clock = fakeClock()
  const kube = kubeClient(httpTransport({ server: server.url }))
  const informers = createInformers({ kube, clock, random: () => 0.5, signal: stop.signal })
  const keys: string[] = []
  const results: string[] = []
  const logs: string[] = []
  const log = (level: string) => (message: string, fields?: LogFields) =>
    void logs.push(`${level}: ${message}: ${fields?.error}`)
  const controller: Controller = {
    name: 'test',
    watches: [own(Thing)],
    reconcile: async (key, signal) => {
      keys.push(key)
      return await answer(key, signal)
    },
    ...options,
  }
  const done = runController(
    controller,
    {
      informers,
      clock,
      log: { debug: () => undefined, info: log('info'), warn: log('warn'), error: log('error') },
      metrics: { ...noMetrics, reconciled: (_, result) => void results.push(result) },
    },
    stop.signal,
  )
  cleanUp = async () => {
    stop.abort(new Error('stopping'))
    await clock.advance(10_000)
    await done
    await informers.stopped()
    await server.close()
  }
  await server.seen(3)
  await settle()
  const change = (name: string, version: string) =>
    void watch?.write(`${JSON.stringify({ type: 'MODIFIED', object: item(name, version) })}\n`)
  return { clock, keys, results, logs, change, stop, done }
}

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await settle()
}

describe('runController', () => {
  test('reconciles every object once its caches are complete, and again when it changes', async () => {
    const run = await start(() => settled)
    expect(run.keys).toEqual(['a', 'b'])
    run.change('b', '2')
    await eventually(() => run.keys.length === 3)
    expect(run.keys).toEqual(['a', 'b', 'b'])
    expect(run.logs).toEqual([])
  })

  test('looks again at the time that the controller asked for, and never without a pause', async () => {
    const at = new Date('2026-01-01T00:10:00Z')
    const run = await start((key) => (key === 'a' ? again(at) : settled))
    await run.clock.advance(at.getTime() - run.clock.now().getTime() - 1)
    expect(run.keys).toEqual(['a', 'b'])
    await run.clock.advance(1)
    expect(run.keys).toEqual(['a', 'b', 'a'])
    await run.clock.advance(99)
    expect(run.keys).toEqual(['a', 'b', 'a'])
    await run.clock.advance(1)
    expect(run.keys).toEqual(['a', 'b', 'a', 'a'])
  })

  test('coalesces a kind for as long as its own watch says', async () => {
    const watches = [{ ...own(Thing), coalesceMs: 300 }]
    const run = await start(() => settled, { coalesceMs: 100, watches })
    await run.clock.advance(299)
    expect(run.keys).toEqual([])
    await run.clock.advance(1)
    await settle()
    expect(run.keys).toEqual(['a', 'b'])
  })

  test('makes a burst one reconcile when the controller coalesces', async () => {
    const run = await start(() => settled, { coalesceMs: 100 })
    expect(run.keys).toEqual([])
    await run.clock.advance(100)
    expect(run.keys).toEqual(['a', 'b'])
    run.change('a', '2')
    run.change('a', '3')
    await eventually(() => run.clock.waits.includes(100))
    run.change('a', '4')
    await settle()
    await run.clock.advance(100)
    expect(run.keys).toEqual(['a', 'b', 'a'])
  })

  const api = (code: number, reason: string, retryAfterSeconds?: number) =>
    new ApiError({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      code,
      reason,
      ...(retryAfterSeconds && { details: { retryAfterSeconds } }),
    })
  const later = new Date('2026-01-01T01:00:00Z')
  const rows: [string, () => unknown, string, number[], string[]][] = [
    ['a conflict: backs off, says nothing', () => api(409, 'Conflict'), 'conflict', [5], []],
    ['Retryable: backs off, says nothing yet', () => new Retryable('away'), 'retryable', [5], []],
    ['a 429: waits as long as the server asks', () => api(429, 'TooManyRequests', 9), 'retryable', [9000], []],
    ['Waiting: looks again at its time', () => new Waiting(later, 'Window', 'closed'), 'waiting', [], []],
    [
      'Terminal: does not try again',
      () => new Terminal('LostDisk', 'no disk'),
      'terminal',
      [],
      ['error: a reconcile needs a person: no disk'],
    ],
    [
      'Invalid: does not try again',
      () => new Invalid([{ severity: 'error', path: '$.a', message: 'is bad' }]),
      'invalid',
      [],
      ['error: a reconcile needs a person: $.a: is bad'],
    ],
    [
      'any other error: backs off and is logged',
      () => new TypeError('x is undefined'),
      'bug',
      [5],
      ['error: a reconcile failed by a bug: x is undefined'],
    ],
  ]
  test.each(rows)('%s', async (_, error, result, waits, logs) => {
    const run = await start((key) => {
      if (key === 'a') throw error()
      return settled
    })
    expect(run.keys.slice(0, 2)).toEqual(['a', 'b'])
    expect(run.results.slice(0, 2)).toEqual([result, 'settled'])
    expect(run.logs.slice(0, 1)).toEqual(logs)
    const ours = run.clock.waits.filter((ms) => ms < 10_000)
    expect(ours).toEqual(waits)
    if (result === 'waiting') expect(run.clock.waits.some((ms) => ms > 3_500_000)).toBe(true)
  })

  test('warns once when a failure persists, and starts over after a success', async () => {
    let isHealthy = false
    const run = await start((key) => {
      if (key === 'a' && !isHealthy) throw new Retryable('away')
      return settled
    })
    await run.clock.advance(5 + 10 + 20 + 40 + 80 + 160)
    expect(run.logs).toEqual(['warn: a reconcile keeps failing: away'])
    isHealthy = true
    await run.clock.advance(1_000)
    isHealthy = false
    run.change('a', '2')
    await eventually(() => run.clock.waits.includes(5))
  })

  test('never runs one key twice at a time, but other keys beside it', async () => {
    let release: () => void = () => undefined
    const blocked = new Promise<void>((resolve) => {
      release = resolve
    })
    const run = await start(
      async (key) => {
        if (key === 'a') await blocked
        return settled
      },
      { workers: 2 },
    )
    run.change('a', '2')
    run.change('b', '2')
    await eventually(() => run.keys.length === 3)
    expect(run.keys).toEqual(['a', 'b', 'b'])
    release()
    await eventually(() => run.keys.length === 4)
    expect(run.keys).toEqual(['a', 'b', 'b', 'a'])
  })

  test('lets work in progress end after the stop, and cuts it off when the drain time is over', async () => {
    let seen: AbortSignal | undefined
    const run = await start((_, signal) => {
      seen = signal
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    run.stop.abort(new Error('stopping'))
    await settle()
    expect(seen?.aborted).toBe(false)
    await run.clock.advance(10_000)
    await run.done
    expect([seen?.aborted, run.keys, run.logs]).toEqual([true, ['a'], []])
  })
})
