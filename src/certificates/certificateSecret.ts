import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Secret } from '../api/core.ts'
import { certificateAnnotation } from '../api/names.ts'
import { commonNameOf } from './authorityBundle.ts'
import type { CertificateRecord, FoundCertificate } from './decideRotation.ts'
import type { KeyPair } from './issueCertificate.ts'

export const tlsSecretType = 'kubernetes.io/tls'

/** The record of a certificate, from the annotations of its Secret; undefined when one is missing or damaged. */
function readRecord(annotations: Readonly<Record<string, string>>): CertificateRecord | undefined {
  const notBefore = new Date(annotations[certificateAnnotation.notBefore] ?? '')
  const notAfter = new Date(annotations[certificateAnnotation.notAfter] ?? '')
  const refreshMs = parseDuration(annotations[certificateAnnotation.refreshPeriod] ?? '')
  const issuer = annotations[certificateAnnotation.issuer] ?? ''
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime()) || refreshMs === undefined || !issuer)
    return undefined
  const hostnames = (annotations[certificateAnnotation.hostnames] ?? '').split(',').filter((name) => name !== '')
  return { notBefore, notAfter, refreshMs, issuer, hostnames }
}

export function recordToAnnotations(
  { notBefore, notAfter, refreshMs, issuer, hostnames }: CertificateRecord,
  description: string,
): Readonly<Record<string, string>> {
  return {
    [certificateAnnotation.notBefore]: seconds(notBefore),
    [certificateAnnotation.notAfter]: seconds(notAfter),
    [certificateAnnotation.refreshPeriod]: `${Math.floor(refreshMs / 3_600_000)}h0m0s`,
    [certificateAnnotation.issuer]: issuer,
    ...(hostnames.length > 0 && { [certificateAnnotation.hostnames]: [...hostnames].sort().join(',') }),
    [certificateAnnotation.component]: 'Machine Config Operator',
    [certificateAnnotation.description]: description,
  }
}

/** Certificate and key of a TLS Secret; undefined when there is none, or they do not belong together. */
export function pairOf(secret: Secret | undefined): KeyPair | undefined {
  const certificatePem = decoded(secret, 'tls.crt')
  const keyPem = decoded(secret, 'tls.key')
  try {
    const belongs = new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem))
    return belongs ? { certificatePem, keyPem } : undefined
  } catch {
    // What OpenSSL says about a key is not for logs; the decision replaces it and says so.
    return undefined
  }
}

export function findCertificate(secret: Secret | undefined): FoundCertificate {
  if (!secret) return { kind: 'missing' }
  if (!pairOf(secret)) return { kind: 'unusable' }
  return { kind: 'present', record: readRecord(secret.metadata.annotations ?? {}) }
}

export const pairToData = ({ certificatePem, keyPem }: KeyPair): Readonly<Record<string, string>> => ({
  'tls.crt': Buffer.from(certificatePem).toString('base64'),
  'tls.key': Buffer.from(keyPem).toString('base64'),
})

/** Start and end of a certificate, who signed it. */
export function factsOf(certificatePem: string): Pick<CertificateRecord, 'notBefore' | 'notAfter' | 'issuer'> {
  const { validFrom, validTo, issuer } = new X509Certificate(certificatePem)
  return { notBefore: new Date(validFrom), notAfter: new Date(validTo), issuer: commonNameOf(issuer) }
}

const decoded = (secret: Secret | undefined, key: string): string =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8')

const seconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')

/** `70080h0m0s`, as Go prints a duration. */
function parseDuration(text: string): number | undefined {
  const parts = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text)
  if (!parts || text === '') return undefined
  const [hours, minutes, rest] = parts.slice(1).map((part) => Number(part ?? 0))
  return ((hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (rest ?? 0)) * 1000
}
