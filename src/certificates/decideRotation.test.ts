import { describe, expect, it } from 'vitest'
import { type CertificateRecord, decideRotation, type FoundCertificate, type RotationView } from './decideRotation.ts'

const year = 365 * 24 * 3600 * 1000
const start = new Date('2026-01-01T00:00:00Z')
const years = (count: number) => new Date(start.getTime() + count * year)

const record = (changes: Partial<CertificateRecord> = {}): CertificateRecord => ({
  notBefore: start,
  notAfter: years(10),
  refreshMs: 8 * year,
  issuer: 'ca@1',
  hostnames: ['api-int', '10.0.0.1'],
  ...changes,
})
const present = (changes: Partial<CertificateRecord> = {}): FoundCertificate => ({
  kind: 'present',
  record: record(changes),
})
const noRecord: FoundCertificate = { kind: 'present', record: undefined }
const missing: FoundCertificate = { kind: 'missing' }
const unusable: FoundCertificate = { kind: 'unusable' }

const view = (changes: Partial<RotationView> = {}): RotationView => ({
  signer: present({ hostnames: [] }),
  serving: present(),
  trusted: new Set(['ca@1']),
  names: ['10.0.0.1', 'api-int'],
  ...changes,
})

const reasons = (changes: Partial<RotationView>, now: Date) => {
  const { signer, serving } = decideRotation(view(changes), now)
  return `${signer ?? '-'} ${serving ?? '-'}`
}
/** A signer that was made after `count` years. */
const newSigner = (count: number) => present({ notBefore: years(count), notAfter: years(count + 10), hostnames: [] })

describe('decideRotation', () => {
  it.each<readonly [string, Partial<RotationView>, Date, string]>([
    ['nothing is due', {}, years(1), '- -'],
    ['a new cluster', { signer: missing, serving: missing, trusted: new Set() }, start, 'Missing Missing'],
    ['authority: damaged', { signer: unusable }, years(1), 'Unusable -'],
    ['authority: without its record', { signer: noRecord }, years(1), 'NoRecord -'],
    [
      'authority: a not-after in the past forces it',
      { signer: present({ notAfter: years(0.5) }) },
      years(1),
      'Expired -',
    ],
    [
      'authority: past 80 % of its life',
      { signer: present({ refreshMs: 20 * year }) },
      years(8),
      'PastMostOfItsLife -',
    ],
    ['authority: past its refresh period', { signer: present({ refreshMs: 5 * year }) }, years(5), 'PastRefresh -'],
    ['serving: damaged', { serving: unusable }, years(1), '- Unusable'],
    ['serving: without its record', { serving: noRecord }, years(1), '- NoRecord'],
    ['serving: expired', { serving: present({ notAfter: years(0.5) }) }, years(1), '- Expired'],
    [
      'serving: past 80 % of its life',
      { serving: present({ refreshMs: 20 * year }), signer: newSigner(5) },
      years(8),
      '- PastMostOfItsLife',
    ],
    [
      'serving: past its refresh period',
      { serving: present({ refreshMs: 5 * year }), signer: newSigner(4) },
      years(5),
      '- PastRefresh',
    ],
    ['serving: its issuer is not trusted', { trusted: new Set(['ca@2']) }, years(1), '- IssuerNotTrusted'],
    ['serving: a name more is wanted', { names: ['10.0.0.1', '10.0.0.2', 'api-int'] }, years(1), '- NamesDiffer'],
    ['serving: a name less is wanted', { names: ['api-int'] }, years(1), '- NamesDiffer'],
    ['serving: the same names in another order, twice', { names: ['api-int', '10.0.0.1', 'api-int'] }, years(1), '- -'],
    ['overlap: both are old, the authority goes first', {}, years(8), 'PastMostOfItsLife -'],
    ['overlap: the new authority has not spread', { signer: newSigner(8) }, years(8.5), '- -'],
    ['overlap: the new authority has spread', { signer: newSigner(8) }, years(8.8), '- PastMostOfItsLife'],
    ['overlap: no time to wait', { signer: newSigner(9.55) }, years(9.65), '- PastMostOfItsLife'],
    [
      'overlap: a forced rotation keeps the serving certificate',
      { signer: newSigner(1), trusted: new Set(['ca@1', 'ca@2']) },
      years(1.1),
      '- -',
    ],
  ])('%s', (_what, changes, now, expected) => expect(reasons(changes, now)).toBe(expected))

  it('looks again when time alone changes the answer, and every hour', () => {
    expect(decideRotation(view(), years(1)).nextAt).toEqual(new Date(years(1).getTime() + 3_600_000))
    const soon = new Date(years(8).getTime() - 60_000)
    expect(decideRotation(view(), soon).nextAt).toEqual(years(8))
  })

  it('is settled after what it asked for was done', () => {
    for (let month = 0; month < 30 * 12; month++) {
      const now = years(month / 12)
      const made = { notBefore: now, notAfter: new Date(now.getTime() + 10 * year) }
      const first = decideRotation(view({ signer: newSigner(month / 12), serving: present(made) }), now)
      expect([first.signer, first.serving]).toEqual([undefined, undefined])
    }
  })
})
