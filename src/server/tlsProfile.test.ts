import { expect, it } from 'vitest'
import { profileToTlsChoice } from './tlsProfile.ts'
import { tlsSettings } from './tlsSettings.ts'

it.each([
  [undefined, 'TLSv1.2'],
  [{ type: 'Intermediate' }, 'TLSv1.2'],
  [{ type: 'Modern' }, 'TLSv1.3'],
  [{ type: 'Old' }, 'TLSv1'],
  [{ type: 'Custom' }, 'TLSv1.2'],
  [{ type: 'Custom', custom: { minTLSVersion: 'VersionTLS13' } }, 'TLSv1.3'],
  [{ type: 'Custom', custom: { minTLSVersion: 'VersionTLS12', ciphers: ['ECDHE-RSA-AES128-GCM-SHA256'] } }, 'TLSv1.2'],
] as const)('the profile %j is at least %s', (profile, minVersion) => {
  expect(tlsSettings(profileToTlsChoice(profile))).toMatchObject({ kind: 'settings', settings: { minVersion } })
})
