import { X509Certificate } from 'node:crypto'

/** What a certificate says about itself; names as RFC 2253 writes them (`CN=signer,O=example`). */
interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  readonly notBefore: Date
  readonly notAfter: Date
}

export interface PemCertificates<T extends CertificateFacts = CertificateFacts> {
  readonly certificates: readonly T[]
  /** Blocks that look like a certificate and are none, or that are beyond the limit. */
  readonly unreadable: number
}

/** A certificate with what identifies it. */
export interface BundledCertificate extends CertificateFacts {
  readonly fingerprint: string
  readonly commonName: string
  /** The block itself, and nothing of what stood around it. */
  readonly pem: string
}

/** Above any real bundle; what is beyond counts as unreadable. */
const maxBlocks = 5_000

/**
 * The certificates in a text of PEM blocks, in its order. Whatever stands between blocks is skipped, a damaged block is
 * counted. Never throws: any bytes may be asked about.
 */
export function certificatesIn(bytes: Uint8Array | string): PemCertificates<BundledCertificate> {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  const { blocks, broken } = blocksIn(text)
  const read = blocks.slice(0, maxBlocks).map(readCertificate)
  const certificates = read.filter((certificate) => certificate !== undefined)
  return { certificates, unreadable: broken + blocks.length - certificates.length }
}

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** By position, not by a pattern: a text of nothing but beginnings must not take quadratic time. */
function blocksIn(text: string): { readonly blocks: readonly string[]; readonly broken: number } {
  const blocks: string[] = []
  let broken = 0
  let start = text.indexOf(begin)
  let stop = start < 0 ? -1 : text.indexOf(end, start)
  while (start >= 0) {
    const next = text.indexOf(begin, start + begin.length)
    if (stop >= 0 && stop < start) stop = text.indexOf(end, start)
    if (stop < 0 || (next >= 0 && next < stop)) broken += 1
    else blocks.push(text.slice(start, stop + end.length))
    start = next
  }
  return { blocks, broken }
}

function readCertificate(block: string): BundledCertificate | undefined {
  try {
    const { subject, issuer, validFrom, validTo, fingerprint256 } = new X509Certificate(block)
    const [notBefore, notAfter] = [new Date(validFrom), new Date(validTo)]
    if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) return undefined
    const commonName = /^CN=(.*)$/m.exec(subject ?? '')?.[1] ?? ''
    return {
      subject: distinguishedName(subject),
      issuer: distinguishedName(issuer),
      notBefore,
      notAfter,
      fingerprint: fingerprint256,
      commonName,
      pem: block,
    }
  } catch {
    // Counted by the caller; what OpenSSL says about it would quote from it.
    return undefined
  }
}

/** Node prints one attribute per line in the certificate's order; RFC 2253 reverses it. Undefined for an empty name. */
const distinguishedName = (lines: string | undefined): string => (lines ?? '').split('\n').reverse().join(',')
