import { X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAuthority, isExpiringSoon, isServerCertificateUsable, issueCertificate } from './issueCertificate.ts'

const now = new Date('2026-01-01T00:00:00Z')
const inElevenMonths = new Date('2026-12-10T00:00:00Z')

describe('certificates', () => {
  test('of servers name what clients connect to, and are signed by the authority', async () => {
    const authority = await createAuthority('test-ca', now)
    const pair = await issueCertificate(
      authority,
      { kind: 'server', commonName: 's', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1', '::1'] },
      now,
    )
    const certificate = new X509Certificate(pair.certificatePem)
    const issuer = new X509Certificate(authority.certificatePem)
    expect([issuer.ca, certificate.ca, certificate.checkIssued(issuer), certificate.verify(issuer.publicKey)]).toEqual([
      true,
      false,
      true,
      true,
    ])
    expect([
      certificate.checkHost('localhost'),
      certificate.checkIP('127.0.0.1'),
      certificate.checkHost('elsewhere'),
    ]).toEqual(['localhost', '127.0.0.1', undefined])
    expect(isServerCertificateUsable(pair, ['localhost', '::1'], now)).toBe(true)
    expect(isServerCertificateUsable(pair, ['localhost', '10.0.0.1'], now)).toBe(false)
    expect([
      isServerCertificateUsable(pair, ['localhost'], inElevenMonths),
      isExpiringSoon(pair, inElevenMonths),
    ]).toEqual([false, true])
  })

  test('of clients carry user and groups', async () => {
    const authority = await createAuthority('test-ca', now)
    const pair = await issueCertificate(
      authority,
      { kind: 'client', commonName: 'system:node:a', organizations: ['system:nodes', 'team'] },
      now,
    )
    const { subject, keyUsage } = new X509Certificate(pair.certificatePem)
    expect([subject, keyUsage]).toEqual(['O=system:nodes\nO=team\nCN=system:node:a', ['1.3.6.1.5.5.7.3.2']])
  })
})
