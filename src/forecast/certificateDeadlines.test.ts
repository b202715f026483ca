import { expect, test } from 'vitest'
import { createAuthority } from '../certificates/issueCertificate.ts'
import type { File } from '../ignition/types.ts'
import { waitingCertificates } from './certificateDeadlines.ts'

const file = (text: string): File => ({
  path: '/etc/ca.crt',
  contents: { source: `data:;base64,${Buffer.from(text).toString('base64')}` },
})
const now = new Date('2026-01-01T00:00:00Z')
const signer = async (end: string): Promise<string> =>
  (await createAuthority('signer', now, { notAfter: new Date(end) })).certificatePem

test('waitingCertificates answers the same for a large bundle that it has read before, and another for another', async () => {
  const [soon, later, latest] = [
    await signer('2026-02-01T00:00:00Z'),
    await signer('2027-02-01T00:00:00Z'),
    await signer('2028-02-01T00:00:00Z'),
  ]
  const [held, waiting, other] = [soon, later, latest].map((pem) => file(pem.repeat(30)))
  const ask = (next: File | undefined) => waitingCertificates('/etc/ca.crt', held, next)
  const deadline = { path: '/etc/ca.crt', subject: 'CN=signer', expires: '2026-02-01T00:00:00.000Z' }
  for (let round = 0; round < 2; round++) {
    expect(ask(waiting).deadlines).toEqual([{ ...deadline, renewedUntil: '2027-02-01T00:00:00.000Z' }])
    expect(ask(other).deadlines).toEqual([{ ...deadline, renewedUntil: '2028-02-01T00:00:00.000Z' }])
    expect(ask(held).deadlines).toEqual([])
  }
})
