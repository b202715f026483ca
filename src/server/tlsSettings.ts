import type { SecureVersion } from 'node:tls'
import { getCiphers } from 'node:tls'

/** What the server offers in a TLS handshake, as the options of `node:tls`. */
export interface TlsSettings {
  readonly minVersion: SecureVersion
  readonly ciphers: string
  readonly honorCipherOrder: true
}

export type TlsSettingsResult =
  | { readonly kind: 'settings'; readonly settings: TlsSettings }
  | { readonly kind: 'invalid'; readonly message: string }

export interface TlsChoice {
  /** `VersionTLS10` to `VersionTLS13`. */
  readonly minVersion?: string
  /** IANA names; those of the Intermediate profile when empty. */
  readonly cipherSuites?: readonly string[]
}

/** Names as the cluster's TLS profile and the flags give them. What is not known is refused, never silently left out. */
export function tlsSettings({ minVersion = 'VersionTLS12', cipherSuites = [] }: TlsChoice): TlsSettingsResult {
  const version = versions[minVersion]
  if (!version) {
    const known = Object.keys(versions).join(', ')
    return { kind: 'invalid', message: `TLS version ${JSON.stringify(minVersion)} is not known; expected ${known}` }
  }
  const wanted = cipherSuites.length > 0 ? cipherSuites : intermediateSuites
  const names: string[] = []
  for (const suite of wanted) {
    const name = openSslName(suite)
    if (!available.has(name.toLowerCase())) {
      return { kind: 'invalid', message: `cipher suite ${JSON.stringify(suite)} is not known; expected IANA names` }
    }
    names.push(name)
  }
  if (version !== 'TLSv1.3' && !names.some((name) => !name.startsWith('TLS_'))) {
    const message = `TLS below 1.3 has none of the cipher suites given; add one, or set the minimum to VersionTLS13`
    return { kind: 'invalid', message }
  }
  // OpenSSL hides the old versions behind its security level.
  const level = version === 'TLSv1' || version === 'TLSv1.1' ? ':@SECLEVEL=0' : ''
  return {
    kind: 'settings',
    settings: { minVersion: version, ciphers: names.join(':') + level, honorCipherOrder: true },
  }
}

const versions: Readonly<Record<string, SecureVersion>> = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
}

const intermediateSuites: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
]

const available: ReadonlySet<string> = new Set(getCiphers())

/** `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256` for OpenSSL; TLS 1.3 has one name for both. */
function openSslName(suite: string): string {
  if (/^TLS_(AES|CHACHA20)_/.test(suite)) return suite
  const [, exchange, cipher] = /^TLS_(.+)_WITH_(.+)$/.exec(suite) ?? []
  if (exchange === undefined || cipher === undefined) return suite
  const short = cipher
    .replace(/^CHACHA20_POLY1305_SHA256$/, 'CHACHA20-POLY1305')
    .replace(/^3DES_EDE_CBC/, 'DES-CBC3')
    .replace(/^AES_(\d+)_CBC/, 'AES$1')
    .replace(/^AES_(\d+)/, 'AES$1')
    .replaceAll('_', '-')
  // Plain RSA key exchange is not part of OpenSSL's names.
  return exchange === 'RSA' ? short : `${exchange.replaceAll('_', '-')}-${short}`
}
