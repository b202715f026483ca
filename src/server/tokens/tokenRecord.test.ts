import { describe, expect, it } from 'vitest'
import { joinToken } from '../../api/names.ts'
import { secretToToken, type TokenRecord, tokenToSecret } from './tokenRecord.ts'
import { noUses } from './tokenUses.ts'

const record: TokenRecord = {
  id: 'abcd1234',
  hash: '0a'.repeat(32),
  pool: 'worker',
  machine: 'worker-7',
  expiresAt: new Date('2026-03-02T00:00:00Z'),
  revokedAt: new Date('2026-03-01T12:00:00Z'),
  maxUses: 3,
  sources: ['10.0.0.0/8', 'fd00::/64'],
  uses: noUses,
}
const plain = { id: 'abcd1234', hash: record.hash, pool: 'worker', sources: [], uses: noUses } satisfies TokenRecord

describe('token records', () => {
  it.each([
    ['with everything', record],
    ['with what is needed', plain],
  ])('come back from their Secret as they were: %s', (_what, one) => {
    const secret = tokenToSecret(one, 'ns')
    expect(secret).toMatchObject({
      metadata: { name: 'join-token-abcd1234', namespace: 'ns', labels: { [joinToken.poolLabel]: 'worker' } },
      type: 'machineconfig.io/join-token',
    })
    expect(secretToToken(secret)).toEqual({ kind: 'token', record: one })
  })

  it.each([
    ['token-sha256', 'short'],
    ['pool', ''],
    ['expires', 'tomorrow'],
    ['revoked', 'yes'],
    ['max-uses', '0'],
    ['max-uses', '-1'],
    ['sources', '10.0.0.0/8,everywhere'],
    ['sources', '10.0.0.1'],
  ])('are unusable with a damaged %s, and say which member, not what is in it', (key, value) => {
    const secret = tokenToSecret(record, 'ns')
    const damaged = { ...secret, data: { ...secret.data, [key]: Buffer.from(value).toString('base64') } }
    const read = secretToToken(damaged)
    expect(read).toMatchObject({ kind: 'unusable', id: 'abcd1234', message: expect.stringContaining(`data["${key}"]`) })
    if (value !== '') expect(JSON.stringify(read)).not.toContain(value)
  })

  it('with a damaged count are used up', () => {
    const secret = tokenToSecret(record, 'ns')
    const annotations = { [joinToken.usesAnnotation]: '{"count":"many"}' }
    const read = secretToToken({ ...secret, metadata: { ...secret.metadata, annotations } })
    expect(read.kind === 'token' && read.record.uses.count).toBeGreaterThan(1e9)
  })
})
