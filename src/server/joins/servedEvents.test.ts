import { expect, it } from 'vitest'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import { aPool } from '../../../test/unit/rolloutBuilders.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import type { Clock } from '../../kube/clock.ts'
import type { Cache } from '../../kube/controller.ts'
import { EventCorrelator } from '../../kube/eventCorrelator.ts'
import type { Served } from '../admission.ts'
import { auditEventLimits, servedEvents } from './servedEvents.ts'

interface TellerOptions {
  readonly seconds: number
  readonly mostPerSecond?: number
  readonly isSynced?: boolean
}

const mustNotAsk = (): never => {
  throw new Error('the cache is not synced')
}
const unsynced: Cache = { get: mustNotAsk, list: mustNotAsk, byIndex: mustNotAsk }

function aTeller({ seconds, mostPerSecond, isSynced = true }: TellerOptions) {
  const cluster = new FakeCluster()
  cluster.put(MachineConfigPool, aPool('worker'))
  cluster.deliver()
  const stop = new AbortController()
  const said: { readonly second: number; readonly object: KubernetesObject; readonly text: string }[] = []
  let second = 0
  const clock: Clock = {
    now: () => new Date(cluster.nowMs),
    sleep: async () => {
      if (++second > seconds) stop.abort()
    },
  }
  const teller = servedEvents({
    clock,
    informers: { cache: isSynced ? cluster.cache : unsynced, hasSynced: () => isSynced },
    ...(mostPerSecond !== undefined && { mostPerSecond }),
    events: {
      event: (object, type, reason, message) =>
        void said.push({ second, object, text: `${type} ${reason} ${message}` }),
    },
  })
  const serve = (remoteAddress: string, changes: Partial<Served> = {}) =>
    teller.onServed({
      pool: 'worker',
      config: 'rendered-worker-1',
      version: '3.4.0',
      remoteAddress,
      userAgent: 'Ignition/2.20',
      identity: { kind: 'token', name: 'abcd1234' },
      at: new Date(cluster.nowMs),
      ...changes,
    })
  return { cluster, serve, said, run: () => teller.run(stop.signal) }
}

it('servedEvents tells who got which config, by what, on the pool', async () => {
  const { serve, said, run, cluster } = aTeller({ seconds: 1 })
  serve('10.0.0.1')
  serve('10.0.0.2', { identity: { kind: 'token', name: 'efgh5678', machine: 'worker-7' } })
  serve('10.0.0.3', { pool: 'gone', config: 'rendered-gone-1' })
  await run()
  expect(said.map(({ text }) => text)).toEqual([
    'Normal ConfigServed rendered-worker-1 was served to 2 machines: 10.0.0.1 by token abcd1234, worker-7 at 10.0.0.2 by token efgh5678',
    'Normal ConfigServed rendered-gone-1 was served to 1 machine: 10.0.0.3 by token abcd1234',
  ])
  expect(said[0]?.object).toMatchObject({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { uid: cluster.read(MachineConfigPool, { name: 'worker' }).metadata.uid },
  })
  expect(said[1]?.object).toMatchObject({ kind: 'MachineConfigPool', metadata: { name: 'gone' } })
})

it('servedEvents of a server that never reached the API server goes on, and names the pool', async () => {
  const { serve, said, run } = aTeller({ seconds: 1, isSynced: false })
  serve('10.0.0.1')
  await run()
  expect(said.map(({ object }) => `${object.kind} ${object.metadata.name}`)).toEqual(['MachineConfigPool worker'])
})

it('servedEvents tells of a boot once, however often it asks, and of the next boot again', async () => {
  const { serve, said, run, cluster } = aTeller({ seconds: 1 })
  for (let index = 0; index < 5; index++) serve('10.0.0.1')
  serve('10.0.0.1', { config: 'rendered-worker-2' })
  serve('10.0.0.1', { at: new Date(cluster.nowMs + 3_600_001) })
  await run()
  expect(said.map(({ text }) => text.replace(/^.*served to /, ''))).toEqual([
    '2 machines: 10.0.0.1 by token abcd1234, 10.0.0.1 by token abcd1234',
    '1 machine: 10.0.0.1 by token abcd1234',
  ])
})

it('servedEvents names each of a thousand machines in few events, at most so many per second', async () => {
  const { serve, said, run } = aTeller({ seconds: 10, mostPerSecond: 5 })
  const addresses = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
  for (const address of addresses) serve(address)
  await run()
  expect(said.length).toBeLessThan(50)
  expect(Math.max(...said.map(({ text }) => text.length))).toBeLessThanOrEqual(1024)
  const perSecond = new Map<number, number>()
  for (const { second } of said) perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
  expect(Math.max(...perSecond.values())).toBe(5)
  const named = said.flatMap(({ text }) => text.match(/10\.0\.\d+\.\d+/g) ?? [])
  expect(named.sort()).toEqual([...addresses].sort())
  // The recorder keeps all of them: it must not take them for repetitions.
  const correlator = new EventCorrelator(auditEventLimits)
  const records = said.map(({ text }) =>
    correlator.observe(
      { about: { kind: 'MachineConfigPool', name: 'worker' }, type: 'Normal', reason: 'r', message: text },
      new Date(0),
    ),
  )
  expect(records.map((record) => record?.saying.message)).toEqual(said.map(({ text }) => text))
})

it('servedEvents tells what is left when the server ends, and counts what it could not keep', async () => {
  const { serve, said, run } = aTeller({ seconds: 0 })
  for (let index = 0; index < 5003; index++) serve(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`)
  await run()
  expect(said.at(-1)?.text).toMatch(/; and to 3 more, which the server's log names$/)
})
