import { describe, expect, test } from 'vitest'
import { type FakeClock, fakeClock, settle } from '../../test/kube/fakeClock.ts'
import type { Lease } from '../api/coordination.ts'
import { kubeClient } from './client.ts'
import type { Clock } from './clock.ts'
import { type LeaderElectionOptions, type Leadership, runAsLeader } from './leaderElection.ts'
import type { Transport } from './transport.ts'

/** An API server that holds one Lease and checks resourceVersions; a test may break it. */
function leaseServer() {
  let lease: Lease | undefined
  let version = 0
  const state = { mode: 'up' as 'up' | 'down' | 'hanging', writes: 0 }
  const status = (code: number, reason: string) => ({ code, body: { kind: 'Status', code, reason } })
  const answer = (method: string, body: string | undefined) => {
    if (method === 'GET') return lease ? { code: 200, body: lease } : status(404, 'NotFound')
    const sent = JSON.parse(body ?? '') as Lease
    if (method === 'POST' && lease) return status(409, 'AlreadyExists')
    if (method === 'PUT' && sent.metadata.resourceVersion !== lease?.metadata.resourceVersion)
      return status(409, 'Conflict')
    state.writes++
    lease = { ...sent, metadata: { ...sent.metadata, resourceVersion: String(++version) } }
    return { code: 200, body: lease }
  }
  const transport: Transport = {
    request: async ({ method, body, signal }) => {
      if (state.mode === 'down') throw new Error('connection refused')
      if (state.mode === 'hanging') {
        return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      }
      const { code, body: answered } = answer(method, body)
      return {
        status: code,
        headers: {},
        body: (async function* () {
          yield Buffer.from(JSON.stringify(answered))
        })(),
      }
    },
  }
  return { transport, state, holder: () => lease?.spec?.holderIdentity, spec: () => lease?.spec }
}

interface Contender {
  readonly stop: AbortController
  readonly result: Promise<Leadership>
  isWorking: boolean
  wasAborted: boolean
}

function contend(
  server: ReturnType<typeof leaseServer>,
  clock: Clock,
  identity: string,
  options: Partial<LeaderElectionOptions> = {},
): Contender {
  const stop = new AbortController()
  const contender: { isWorking: boolean; wasAborted: boolean } = { isWorking: false, wasAborted: false }
  const work = async (signal: AbortSignal) => {
    contender.isWorking = true
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    contender.isWorking = false
    contender.wasAborted = true
  }
  const result = runAsLeader(
    {
      kube: kubeClient(server.transport),
      clock,
      random: () => 0,
      lease: { namespace: 'ns', name: 'l' },
      identity,
      ...options,
    },
    work,
    stop.signal,
  )
  return Object.assign(contender, { stop, result })
}

/** The same instants, told by a clock that is wrong by `skewMs`. */
const skewed = (clock: FakeClock, skewMs: number): Clock => ({
  now: () => new Date(clock.now().getTime() + skewMs),
  sleep: clock.sleep,
})

async function end(clock: FakeClock, ...contenders: Contender[]): Promise<void> {
  for (const { stop } of contenders) stop.abort(new Error('stopping'))
  await settle()
  await clock.advance(5_000)
  await Promise.all(contenders.map(({ result }) => result))
}

describe('runAsLeader', () => {
  test('lets one of two contenders work, and the other once the first has stopped', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const [a, b] = [contend(server, clock, 'a'), contend(server, clock, 'b')]
    await settle()
    expect([a.isWorking, b.isWorking, server.holder()]).toEqual([true, false, 'a'])
    await clock.advance(600_000)
    expect([a.isWorking, b.isWorking]).toEqual([true, false])
    a.stop.abort(new Error('stopping'))
    await settle()
    expect([await a.result, server.holder()]).toEqual(['stopped', ''])
    await clock.advance(26_000)
    expect([b.isWorking, server.holder(), server.spec()?.leaseTransitions]).toEqual([true, 'b', 1])
    await end(clock, b)
  })

  test.each([-3_600_000, 3_600_000])(
    'keeps its lease against a contender whose clock is off by %d ms',
    async (skewMs) => {
      const server = leaseServer()
      const clock = fakeClock()
      const a = contend(server, clock, 'a')
      await settle()
      const b = contend(server, skewed(clock, skewMs), 'b')
      await settle()
      await clock.advance(1_000_000)
      expect([a.isWorking, b.isWorking]).toEqual([true, false])
      await end(clock, a, b)
    },
  )

  test.each(['down', 'hanging'] as const)(
    'stops the work at the renew deadline when the server is %s, before anybody can take over',
    async (mode) => {
      const server = leaseServer()
      const clock = fakeClock()
      const a = contend(server, clock, 'a')
      await settle()
      server.state.mode = mode
      await clock.advance(106_999)
      expect(a.isWorking).toBe(true)
      await clock.advance(1)
      expect([a.isWorking, a.wasAborted, await a.result]).toEqual([false, true, 'lost'])
    },
  )

  test('survives an outage shorter than the renew deadline', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const a = contend(server, clock, 'a')
    await settle()
    server.state.mode = 'down'
    await clock.advance(80_000)
    server.state.mode = 'up'
    await clock.advance(600_000)
    expect(a.isWorking).toBe(true)
    await end(clock, a)
  })

  test('takes over from a holder that died, once it was silent for the lease duration', async () => {
    const server = leaseServer()
    const clock = fakeClock()
    const frozen = fakeClock()
    const dead = contend(server, frozen, 'dead')
    await settle()
    const b = contend(server, clock, 'b')
    await settle()
    await clock.advance(136_999)
    expect([b.isWorking, server.holder()]).toEqual([false, 'dead'])
    await clock.advance(26_000)
    expect([b.isWorking, server.holder()]).toEqual([true, 'b'])
    await frozen.advance(26_000)
    expect([dead.isWorking, await dead.result]).toEqual([false, 'lost'])
    await end(clock, b)
  })

  test('returns when the work has ended by itself, and gives the lease back', async () => {
    const server = leaseServer()
    const result = await runAsLeader(
      {
        kube: kubeClient(server.transport),
        clock: fakeClock(),
        random: () => 0,
        lease: { namespace: 'ns', name: 'l' },
        identity: 'a',
      },
      async () => undefined,
      new AbortController().signal,
    )
    expect([result, server.holder()]).toEqual(['finished', ''])
  })

  test('gives the lease back and rethrows when the work fails', async () => {
    const server = leaseServer()
    const failing = runAsLeader(
      {
        kube: kubeClient(server.transport),
        clock: fakeClock(),
        random: () => 0,
        lease: { namespace: 'ns', name: 'l' },
        identity: 'a',
      },
      async () => {
        throw new Error('bug')
      },
      new AbortController().signal,
    )
    await expect(failing).rejects.toThrow('bug')
    expect(server.holder()).toBe('')
  })

  test('refuses times that would let two work at once', async () => {
    const server = leaseServer()
    const contender = contend(server, fakeClock(), 'a', {
      leaseDurationMs: 10_000,
      renewDeadlineMs: 10_000,
      retryPeriodMs: 1_000,
    })
    await expect(contender.result).rejects.toThrow('expected lease > deadline > 1.2 x retry > 0')
  })
})
