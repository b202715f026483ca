import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAuthority, issueCertificate } from './issueCertificate.ts'
import { importSigningKey, keyTypes } from './keyType.ts'

const now = new Date('2026-01-01T00:00:00Z')
const request = { kind: 'server', commonName: 's', dnsNames: ['s'], ipAddresses: [] } as const

// Making a prime of 2048 bits takes its time.
it.each(keyTypes.filter((type) => type !== 'RSA-4096'))(
  'an authority with a key of type %s signs for a key of another',
  async (keyType) => {
    const notAfter = new Date('2026-02-01T00:00:00Z')
    const authority = await createAuthority('ca', now, { keyType, notAfter })
    const pair = await issueCertificate(authority, request, now, { notAfter })
    const issuer = new X509Certificate(authority.certificatePem)
    const certificate = new X509Certificate(pair.certificatePem)
    expect([certificate.verify(issuer.publicKey), new Date(certificate.validTo), new Date(issuer.validTo)]).toEqual([
      true,
      notAfter,
      notAfter,
    ])
  },
)

it('a key that is none is refused with what to do, and never quoted', async () => {
  await expect(importSigningKey('hunter2')).rejects.toThrow(/expected a private key in PEM form; put a copy of it back/)
  await expect(importSigningKey('hunter2')).rejects.not.toThrow(/hunter2/)
})
