import { expect, it } from 'vitest'
import { makeToken } from '../tokens/makeToken.ts'
import type { ReadToken } from '../tokens/tokenRecord.ts'
import { keepToken, userDataTokenLifetimeMs } from './keepToken.ts'

const now = new Date('2026-03-01T12:00:00Z')
const half = new Date(now.getTime() + userDataTokenLifetimeMs / 2)
const randomBytes = (count: number) => Buffer.alloc(count, 5)
const { text, record } = makeToken({ pool: 'worker', lifetimeMs: userDataTokenLifetimeMs }, randomBytes, now)
const { text: otherText } = makeToken({ pool: 'worker' }, (count) => Buffer.alloc(count, 6), now)
const { record: forever } = makeToken({ pool: 'worker' }, randomBytes, now)
const found = (changes: Partial<typeof record> = {}): ReadToken => ({
  kind: 'token',
  record: { ...record, ...changes },
})

it.each<readonly [string, Parameters<typeof keepToken>, string]>([
  ['a fresh token', [text, 'worker', found(), now], `keep ${half.toISOString()}`],
  ['one at half of its life', [text, 'worker', found(), half], 'replace Old'],
  ['one that expired', [text, 'worker', found({ expiresAt: now }), now], 'replace Old'],
  ['one that was revoked', [text, 'worker', found({ revokedAt: now }), now], 'replace Revoked'],
  ['one without an end', [text, 'worker', { kind: 'token', record: forever }, now], 'keep'],
  ['none', [undefined, 'worker', undefined, now], 'replace NoToken'],
  ['one without a record', [text, 'worker', undefined, now], 'replace Revoked'],
  ['another text than the record has', [otherText, 'worker', found(), now], 'replace Unusable'],
  ['one of another pool', [text, 'infra', found(), now], 'replace Unusable'],
  ['a damaged record', [text, 'worker', { kind: 'unusable', id: 'x', message: 'm' }, now], 'replace Unusable'],
])('keepToken: %s', (_what, input, expected) => {
  const decision = keepToken(...input)
  const said = decision.kind === 'keep' ? `keep ${decision.until.toISOString()}` : `replace ${decision.because}`
  expect(said.startsWith(expected)).toBe(true)
})
