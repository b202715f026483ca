import { expect, it } from 'vitest'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import { ConfigMap, Secret } from '../../api/core.ts'
import { readJoins } from '../../forecast/joinRecords.ts'
import { silentLog } from '../../kube/log.ts'
import { makeToken } from '../tokens/makeToken.ts'
import { secretToToken, tokenSecretName, tokenToSecret } from '../tokens/tokenRecord.ts'
import { joinReporter } from './joinReporter.ts'

const namespace = 'ns'
const tokenNamespace = 'tokens'

function aReporter() {
  const cluster = new FakeCluster()
  const { record } = makeToken({ pool: 'worker' }, (count) => Buffer.alloc(count, 1), cluster.clock.now())
  cluster.put(Secret, tokenToSecret(record, tokenNamespace))
  const warnings: string[] = []
  const reporter = joinReporter({
    kube: cluster.kube,
    clock: cluster.clock,
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
    namespace,
    tokenNamespace,
  })
  const serve = (remoteAddress: string) =>
    reporter.onServed({
      pool: 'worker',
      config: 'rendered-worker-1',
      version: '3.5.0',
      remoteAddress,
      userAgent: 'Ignition/2.20',
      identity: { kind: 'token', name: record.id },
      at: cluster.clock.now(),
    })
  /** One write: a loop whose signal aborts in its first sleep writes once more and ends. */
  const flush = async () => {
    const stop = new AbortController()
    const clock = { ...cluster.clock, sleep: async () => stop.abort() }
    Object.assign(cluster.clock, { sleep: clock.sleep })
    await reporter.run(stop.signal)
  }
  const joins = () => readJoins(cluster.read(ConfigMap, { name: 'machine-config-server-joins', namespace }))
  const uses = () => {
    const read = secretToToken(cluster.read(Secret, { name: tokenSecretName(record.id), namespace: tokenNamespace }))
    return read.kind === 'token' ? read.record.uses.count : -1
  }
  return { cluster, serve, flush, joins, uses, warnings }
}

it('joinReporter writes boots, not requests, and counts each once for its token', async () => {
  const { cluster, serve, flush, joins, uses } = aReporter()
  for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.1']) serve(address)
  await flush()
  expect(joins().map(({ address, requests }) => `${address} ${requests}`)).toEqual(['10.0.0.1 2', '10.0.0.2 1'])
  expect(uses()).toBe(2)
  const writes = cluster.writes.length
  await flush()
  expect(cluster.writes.length).toBe(writes)
  serve('10.0.0.2')
  await flush()
  expect([joins().length, uses()]).toEqual([2, 2])
})

it('joinReporter keeps what it cannot write, warns once, and writes it later', async () => {
  const { cluster, serve, flush, joins, uses, warnings } = aReporter()
  cluster.fault = () => new Error('away')
  serve('10.0.0.1')
  await flush()
  serve('10.0.0.2')
  await flush()
  cluster.fault = undefined
  await flush()
  expect([joins().length, uses(), warnings.length]).toEqual([2, 2, 1])
})
