import { expect, it } from 'vitest'
import type { ConfigMap } from '../api/core.ts'
import { caBundleKey, certificateAnnotation } from '../api/names.ts'
import { authorityEndsAt, certificateProblems } from './certificateProblems.ts'
import { createAuthority } from './issueCertificate.ts'

const now = new Date('2026-03-01T12:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000)
const authority = async (days: number) =>
  (await createAuthority(`ca-${days}`, inDays(-400), { keyType: 'ECDSA-P256', notAfter: inDays(days) })).certificatePem
const bundle = (text: string, annotations = {}): ConfigMap => ({
  metadata: { name: 'b', annotations },
  data: { [caBundleKey]: text },
})

it('certificateProblems has nothing to say while the rotation works and the authority lasts', async () => {
  const both = bundle(`${await authority(5)}\n${await authority(3000)}`)
  expect([certificateProblems(both, now), authorityEndsAt(both)]).toEqual([[], inDays(3000)])
  expect([certificateProblems(undefined, now), authorityEndsAt(undefined)]).toEqual([[], undefined])
})

it('certificateProblems tells of a deadline and of a rotation that fails', async () => {
  expect(certificateProblems(bundle(await authority(10)), now)).toEqual([
    expect.stringContaining('ends at 2026-03-11T12:00:00.000Z'),
  ])
  expect(certificateProblems(bundle(await authority(-1)), now)).toEqual([
    expect.stringContaining('ended at 2026-02-28T12:00:00.000Z'),
  ])
  const failing = bundle(await authority(3000), { [certificateAnnotation.rotationFault]: 'secrets is forbidden' })
  expect(certificateProblems(failing, now)).toEqual([
    'the rotation fails and will be tried again: secrets is forbidden',
  ])
})
