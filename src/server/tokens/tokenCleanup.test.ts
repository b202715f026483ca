import { expect, it } from 'vitest'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import { Secret } from '../../api/core.ts'
import { silentLog } from '../../kube/log.ts'
import { keptAfterEndMs, tokenCleanupController, tokenGoesAt } from './tokenCleanup.ts'
import { type TokenRecord, tokenToSecret } from './tokenRecord.ts'
import { noUses } from './tokenUses.ts'

const namespace = 'openshift-machine-config-operator'
const record = (id: string, changes: Partial<TokenRecord> = {}): TokenRecord => ({
  id,
  hash: 'aa'.repeat(32),
  pool: 'worker',
  sources: [],
  uses: noUses,
  ...changes,
})
const noon = new Date('2026-03-01T12:00:00Z')
const one = new Date('2026-03-01T13:00:00Z')
const weekAfter = (time: Date) => new Date(time.getTime() + keptAfterEndMs)

it.each<readonly [string, Partial<TokenRecord>, Date | undefined]>([
  ['without an end stays', {}, undefined],
  ['goes a week after it expired', { expiresAt: noon }, weekAfter(noon)],
  ['goes a week after it was revoked', { revokedAt: noon }, weekAfter(noon)],
  ['goes by what ended it first', { expiresAt: one, revokedAt: noon }, weekAfter(noon)],
  ['goes by what ended it first, the other way round', { expiresAt: noon, revokedAt: one }, weekAfter(noon)],
])('tokenGoesAt: a token %s', (_what, changes, expected) =>
  expect(tokenGoesAt({ kind: 'token', record: record('abcd1234', changes) })).toEqual(expected),
)

it('tokenCleanupController deletes what ended, when it is time, and nothing else', async () => {
  const cluster = new FakeCluster()
  const { cache, kube, clock } = cluster
  cluster.attach(tokenCleanupController({ cache, kube, clock, log: silentLog }))
  const inAnHour = new Date(cluster.nowMs + 3_600_000)
  const expired = tokenToSecret(record('expired1', { expiresAt: inAnHour }), namespace)
  cluster.put(Secret, expired)
  cluster.put(Secret, tokenToSecret(record('revoked1', { revokedAt: new Date(cluster.nowMs) }), namespace))
  cluster.put(Secret, tokenToSecret(record('forever1'), namespace))
  cluster.put(Secret, tokenToSecret(record('elsewhere', { expiresAt: noon }), 'default'))
  cluster.put(Secret, { ...expired, metadata: { name: 'imposter', namespace }, type: 'Opaque' })
  cluster.put(Secret, { ...expired, metadata: { name: 'join-token-damaged1', namespace }, data: {} })
  const names = () => cluster.all(Secret).map(({ metadata }) => metadata.name?.replace('join-token-', ''))
  await cluster.advance(keptAfterEndMs - 1)
  expect(names()).toEqual(['expired1', 'revoked1', 'forever1', 'elsewhere', 'imposter', 'damaged1'])
  await cluster.advance(1)
  expect(names()).toEqual(['expired1', 'forever1', 'elsewhere', 'imposter', 'damaged1'])
  await cluster.advance(3_600_000)
  expect(names()).toEqual(['forever1', 'elsewhere', 'imposter', 'damaged1'])
})

it('tokenCleanupController leaves a token alone that was prolonged in time', async () => {
  const cluster = new FakeCluster()
  const { cache, kube, clock } = cluster
  cluster.attach(tokenCleanupController({ cache, kube, clock, log: silentLog }))
  cluster.put(Secret, tokenToSecret(record('abcd1234', { expiresAt: new Date(cluster.nowMs) }), namespace))
  await cluster.advance(keptAfterEndMs / 2)
  cluster.put(Secret, tokenToSecret(record('abcd1234', { expiresAt: new Date(cluster.nowMs) }), namespace))
  await cluster.advance(keptAfterEndMs / 2 + 1)
  expect(cluster.all(Secret).length).toBe(1)
})
