import { expect, it } from 'vitest'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import { Secret } from '../../api/core.ts'
import { createToken, listTokens, revokeToken } from './tokenStore.ts'
import { isTokenOf } from './tokenText.ts'

const now = new Date('2026-03-01T12:00:00Z')

it('tokens are created, listed and revoked, and their text is never stored', async () => {
  const { kube, all, put } = bound(new FakeCluster())
  let byte = 0
  const ports = { randomBytes: (count: number) => Buffer.alloc(count, ++byte), now }
  const worker = await createToken(kube, 'ns', { pool: 'worker', lifetimeMs: 3_600_000, maxUses: 3 }, ports)
  const infra = await createToken(kube, 'ns', { pool: 'infra', machine: 'infra-0' }, ports)
  put(Secret, { metadata: { name: 'other', namespace: 'ns' }, type: 'Opaque' })
  expect(isTokenOf(worker.text, worker.record.hash)).toBe(true)
  for (const { text } of [worker, infra]) {
    const stored = JSON.stringify(all(Secret))
    expect([stored.includes(text), stored.includes(Buffer.from(text).toString('base64'))]).toEqual([false, false])
  }
  expect(await listTokens(kube, 'ns')).toEqual([
    { kind: 'token', record: infra.record },
    { kind: 'token', record: worker.record },
  ])
  await revokeToken(kube, 'ns', infra.record.id, now)
  expect(await listTokens(kube, 'ns')).toEqual([
    { kind: 'token', record: { ...infra.record, revokedAt: now } },
    { kind: 'token', record: worker.record },
  ])
  await expect(revokeToken(kube, 'ns', 'nobody00', now)).rejects.toThrow('NotFound')
})

function bound(cluster: FakeCluster) {
  return { kube: cluster.kube, all: cluster.all.bind(cluster), put: cluster.put.bind(cluster) }
}
