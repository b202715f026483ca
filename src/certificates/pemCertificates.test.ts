import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthority } from './issueCertificate.ts'
import { certificatesIn } from './pemCertificates.ts'

const now = new Date('2026-01-01T00:00:00Z')
let a = ''
let b = ''

beforeAll(async () => {
  const notAfter = new Date('2027-01-01T00:00:00Z')
  a = (await createAuthority('signer-a@1', now, { notAfter })).certificatePem
  b = (await createAuthority('signer-b', now, { notAfter })).certificatePem
})

describe('certificatesIn', () => {
  it('reads names and times in the order of the text', () => {
    const { certificates, unreadable } = certificatesIn(Buffer.from(`# first\n${a}\n# second\n${b}`))
    expect(unreadable).toBe(0)
    expect(
      certificates.map(({ subject, issuer, notBefore, notAfter }) => [subject, issuer, notBefore, notAfter]),
    ).toEqual([
      ['CN=signer-a@1', 'CN=signer-a@1', new Date('2025-12-31T23:00:00Z'), new Date('2027-01-01T00:00:00Z')],
      ['CN=signer-b', 'CN=signer-b', new Date('2025-12-31T23:00:00Z'), new Date('2027-01-01T00:00:00Z')],
    ])
  })

  it.each([
    ['nothing', '', 0, 0],
    ['text without blocks', 'hello', 0, 0],
    ['a block of garbage', '-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----', 0, 1],
    ['a beginning without an end', '-----BEGIN CERTIFICATE-----\nMIIB', 0, 1],
    ['an end without a beginning', '-----END CERTIFICATE-----', 0, 0],
  ])('counts in %s', (_, text, readable, unreadable) => {
    const found = certificatesIn(text)
    expect([found.certificates.length, found.unreadable]).toEqual([readable, unreadable])
  })

  it('reads what follows a cut block', () => {
    const cut = a.slice(0, 200)
    const found = certificatesIn(`${cut}\n${b}\n-----END CERTIFICATE-----\n${a}`)
    expect(found.certificates.map(({ commonName }) => commonName)).toEqual(['signer-b', 'signer-a@1'])
    expect(found.unreadable).toBe(1)
  })

  it('stays quick with bytes that are nothing but beginnings', () => {
    expect(certificatesIn('-----BEGIN CERTIFICATE-----'.repeat(50_000)).unreadable).toBe(50_000)
    expect(certificatesIn(new Uint8Array(100_000).fill(255)).unreadable).toBe(0)
  })

  it('reads a thousand certificates', () => {
    expect(certificatesIn(a.repeat(1_000)).certificates).toHaveLength(1_000)
  })
})
