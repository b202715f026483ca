import { describe, expect, it } from 'vitest'
import { judgeToken } from './judgeToken.ts'
import type { ReadToken, TokenRecord } from './tokenRecord.ts'
import { mintTokenText, parseTokenText, tokenHash } from './tokenText.ts'
import { addBoots, noUses } from './tokenUses.ts'

const issuedAt = new Date('2026-03-01T12:00:00Z')
const minute = (minutes: number) => new Date(issuedAt.getTime() + minutes * 60_000)
const text = mintTokenText('abcd1234', issuedAt, Buffer.alloc(32, 1))
const shown = parse(text)
const other = parse(mintTokenText('abcd1234', issuedAt, Buffer.alloc(32, 2)))
const address = '10.1.0.7'
const now = minute(10)

const record = (changes: Partial<TokenRecord> = {}): ReadToken => ({
  kind: 'token',
  record: { id: 'abcd1234', hash: tokenHash(text), pool: 'worker', sources: [], uses: noUses, ...changes },
})
const used = (...addresses: readonly string[]) =>
  addBoots(noUses, new Map(addresses.map((one) => [one, minute(5)] as const)), minute(5))

interface Situation {
  readonly found?: ReadToken
  readonly isSynced?: boolean
  readonly admitted?: ReadonlyMap<string, Date>
  readonly token?: typeof shown
  readonly pool?: string
  readonly now?: Date
}

function judge(situation: Situation): string {
  const { found, isSynced = true, admitted = new Map<string, Date>(), token = shown, pool = 'worker' } = situation
  const request = { pool, remoteAddress: address }
  const verdict = judgeToken(token, request, { found, isSynced, admitted }, situation.now ?? now)
  expect(JSON.stringify(verdict)).not.toContain(token.text)
  return verdict.kind === 'valid' ? 'valid' : `${verdict.status} ${verdict.reason}`
}

const unusable: ReadToken = { kind: 'unusable', id: 'abcd1234', message: 'm' }

describe('judgeToken', () => {
  it.each<readonly [string, Situation, string]>([
    ['a token of the pool', { found: record() }, 'valid'],
    ['a token before its expiry', { found: record({ expiresAt: minute(11) }) }, 'valid'],
    ['an expired one', { found: record({ expiresAt: now }) }, '403 TokenExpired'],
    ['one of another pool', { found: record(), pool: 'master' }, '403 TokenOfOtherPool'],
    ['another secret under the same id', { found: record(), token: other }, '401 TokenUnknown'],
    ['a record that somebody damaged', { found: unusable }, '503 TokenUnusable'],
    ['an unknown one', {}, '401 TokenUnknown'],
    ['an unknown one while records are missing', { isSynced: false }, '503 TokenNotKnownYet'],
    ['one that was issued just now', { now: minute(0.5) }, '503 TokenNotKnownYet'],
    ['one that was issued by a clock ahead', { now: minute(-0.5) }, '503 TokenNotKnownYet'],
    ['an address that it is made for', { found: record({ sources: ['192.0.2.0/24', '10.1.0.0/16'] }) }, 'valid'],
    ['an address that it is not made for', { found: record({ sources: ['10.2.0.0/16'] }) }, '403 TokenOfOtherAddress'],
    ['uses left', { found: record({ maxUses: 2, uses: used('10.1.0.1') }) }, 'valid'],
    ['no uses left', { found: record({ maxUses: 2, uses: used('10.1.0.1', '10.1.0.2') }) }, '403 TokenUsedUp'],
    [
      'no uses left with those not counted yet',
      { found: record({ maxUses: 2, uses: used('10.1.0.1') }), admitted: new Map([['10.1.0.2', minute(8)]]) },
      '403 TokenUsedUp',
    ],
    [
      'a boot that is counted and admitted, once',
      { found: record({ maxUses: 2, uses: used('10.1.0.1') }), admitted: new Map([['10.1.0.1', minute(8)]]) },
      'valid',
    ],
    ['its own boot under way, though used up since', { found: record({ maxUses: 1, uses: used(address) }) }, 'valid'],
    [
      'its own boot under way at another server, though expired since',
      { found: record({ expiresAt: minute(6), uses: used(address) }) },
      'valid',
    ],
    [
      'its own boot under way, though expired since',
      { found: record({ expiresAt: minute(6) }), admitted: new Map([[address, minute(5)]]) },
      'valid',
    ],
    [
      'its own boot of more than an hour ago',
      { found: record({ expiresAt: minute(6) }), admitted: new Map([[address, minute(5)]]), now: minute(66) },
      '403 TokenExpired',
    ],
    ['a revoked one', { found: record({ revokedAt: minute(9) }) }, '401 TokenRevoked'],
    [
      'a revoked one, seconds after its issue',
      { found: record({ revokedAt: minute(0) }), now: minute(0.2) },
      '401 TokenRevoked',
    ],
    [
      'a revoked one while records may be out of date',
      { found: record({ revokedAt: minute(9) }), isSynced: false },
      '401 TokenRevoked',
    ],
    [
      'a revoked one with another secret',
      { found: record({ revokedAt: minute(9) }), token: other },
      '401 TokenUnknown',
    ],
    [
      'a boot under way whose token is revoked',
      { found: record({ revokedAt: minute(9), uses: used(address) }), admitted: new Map([[address, minute(5)]]) },
      '401 TokenRevoked',
    ],
    ['a boot under way whose token is deleted', { admitted: new Map([[address, minute(5)]]) }, '401 TokenUnknown'],
    [
      'a boot under way that asks for another pool',
      { found: record({ uses: used(address) }), pool: 'master' },
      '403 TokenOfOtherPool',
    ],
  ])('%s', (_what, situation, expected) => expect(judge(situation)).toBe(expected))
})

function parse(token: string) {
  const parsed = parseTokenText(token)
  if (!parsed) throw new Error('not a token')
  return parsed
}
