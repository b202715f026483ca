import { describe, expect, it } from 'vitest'
import { type Log, silentLog } from '../../kube/log.ts'
import { BootLedger } from './bootLedger.ts'
import { type AccessMode, shownToken, tokenGate } from './tokenGate.ts'
import type { ReadToken } from './tokenRecord.ts'
import { mintTokenText, tokenHash } from './tokenText.ts'
import { noUses } from './tokenUses.ts'

const issuedAt = new Date('2026-03-01T12:00:00Z')
const now = new Date('2026-03-01T13:00:00Z')
const text = mintTokenText('abcd1234', issuedAt, Buffer.alloc(32, 1))
const stranger = mintTokenText('zzzz9999', issuedAt, Buffer.alloc(32, 1))

function aGate(mode: AccessMode, changes: { readonly maxUses?: number; readonly machine?: string } = {}) {
  const found: ReadToken = {
    kind: 'token',
    record: { id: 'abcd1234', hash: tokenHash(text), pool: 'worker', sources: [], uses: noUses, ...changes },
  }
  const lines: string[] = []
  const metrics: string[] = []
  const log: Log = { ...silentLog, warn: (message, fields) => void lines.push(`${message} ${JSON.stringify(fields)}`) }
  const gate = tokenGate({
    mode,
    tokens: { find: (id) => (id === 'abcd1234' ? found : undefined), isSynced: () => true },
    ledger: new BootLedger(),
    log,
    metrics: {
      mode: (value) => void metrics.push(value),
      withoutToken: (reason, served) => void metrics.push(`${reason} ${served}`),
    },
  })
  const ask = (token: string | undefined, remoteAddress = '10.0.0.1') =>
    gate.judge({
      pool: 'worker',
      remoteAddress,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      url: '/config/worker',
      now,
    })
  return { ask, lines, metrics }
}

describe('tokenGate', () => {
  it('serves a valid token and says whose it is, without the token', () => {
    const { ask, lines, metrics } = aGate('token', { machine: 'worker-7' })
    expect(ask(text)).toEqual({ kind: 'serve', identity: { kind: 'token', name: 'abcd1234', machine: 'worker-7' } })
    expect([lines, metrics]).toEqual([[], ['token']])
  })

  it('refuses whoever has none, counts why, and logs nothing of it', () => {
    const { ask, lines, metrics } = aGate('token')
    expect([ask(undefined), ask('nonsense'), ask(stranger)]).toEqual([
      { kind: 'refuse', status: 401, reason: 'TokenMissing' },
      { kind: 'refuse', status: 401, reason: 'TokenMalformed' },
      { kind: 'refuse', status: 401, reason: 'TokenUnknown' },
    ])
    expect(metrics.slice(1)).toEqual(['TokenMissing false', 'TokenMalformed false', 'TokenUnknown false'])
    expect(lines).toEqual([])
  })

  it('lets a boot ask again and holds others to the number of uses at once', () => {
    const { ask } = aGate('token', { maxUses: 2 })
    expect(
      ['10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.3', '10.0.0.2'].map((address) => ask(text, address)),
    ).toMatchObject([
      { kind: 'serve' },
      { kind: 'serve' },
      { kind: 'serve' },
      { kind: 'refuse', status: 403, reason: 'TokenUsedUp' },
      { kind: 'serve' },
    ])
  })

  it('with mode warn serves everybody, gives strangers no identity and tells of them', () => {
    const { ask, lines, metrics } = aGate('warn')
    expect([ask(stranger), ask(text)]).toMatchObject([
      { kind: 'serve' },
      { kind: 'serve', identity: { name: 'abcd1234' } },
    ])
    expect(ask(stranger)).toEqual({ kind: 'serve' })
    expect(metrics).toEqual(['warn', 'TokenUnknown true', 'TokenUnknown true'])
    expect(lines[0]).toContain('everybody who reaches this port can read')
    expect(lines[1]).toContain('10.0.0.1')
    expect(lines.join()).not.toContain(stranger)
  })

  it('with mode open warns once and looks at nothing', () => {
    const { ask, lines, metrics } = aGate('open')
    expect([ask(undefined), ask(text)]).toEqual([{ kind: 'serve' }, { kind: 'serve' }])
    expect([lines.length, metrics]).toEqual([1, ['open']])
  })
})

describe('shownToken', () => {
  it.each([
    ['a header', { authorization: 'Bearer abc' }, '/config/worker', 'abc'],
    ['a header in another case', { authorization: 'bearer  abc ' }, '/config/worker', 'abc'],
    ['a parameter', {}, '/config/worker?token=a%2Db', 'a-b'],
    ['both: the header', { authorization: 'Bearer abc' }, '/config/worker?token=def', 'abc'],
    ['a parameter besides another scheme', { authorization: 'Basic abc' }, '/config/worker?x=1&token=def', 'def'],
    ['none', {}, '/config/worker', undefined],
    ['an empty header', { authorization: 'Bearer ' }, '/config/worker?', undefined],
    ['broken escapes', {}, '/config/worker?token=%zz', '%zz'],
  ])('reads %s', (_what, headers, url, token) => expect(shownToken(headers, url)).toBe(token))
})
