import type { TlsSecurityProfile } from '../api/tlsSecurityProfile.ts'
import type { TlsChoice } from './tlsSettings.ts'

/** What a cluster's TLS profile means for a listener; without one, and for an empty Custom, it is Intermediate. */
export function profileToTlsChoice(profile: TlsSecurityProfile | undefined): TlsChoice {
  switch (profile?.type) {
    case 'Old':
      return { minVersion: 'VersionTLS10', cipherSuites: oldSuites }
    case 'Modern':
      return { minVersion: 'VersionTLS13' }
    case 'Custom': {
      const { ciphers, minTLSVersion } = profile.custom ?? {}
      return { ...(minTLSVersion && { minVersion: minTLSVersion }), ...(ciphers && { cipherSuites: ciphers }) }
    }
    default:
      return {}
  }
}

/** OpenSSL's names, as profiles have them. */
const oldSuites: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
  'AES128-SHA256',
  'AES128-SHA',
  'AES256-SHA',
]
