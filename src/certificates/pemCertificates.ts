import { X509Certificate } from 'node:crypto'

/** What is told of a certificate; never its bytes. */
export interface ReadCertificate {
  readonly subject: string
  readonly issuer: string
  readonly notBefore: Date
  readonly notAfter: Date
}

export interface ReadCertificates {
  readonly certificates: readonly ReadCertificate[]
  /** PEM blocks of certificates that cannot be read, and those behind the limit. */
  readonly unreadable: number
}

/** No bundle in use has more; a file with more is an accident, and is not to hold anybody up. */
const maxBlocks = 5_000

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/** The certificates among any bytes. What stands between blocks is skipped, a damaged block is counted. Never throws. */
export function certificatesIn(bytes: Uint8Array): ReadCertificates {
  const [, ...blocks] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split(begin)
  const certificates = blocks.slice(0, maxBlocks).flatMap((block) => readBlock(block) ?? [])
  return { certificates, unreadable: blocks.length - certificates.length }
}

function readBlock(block: string): ReadCertificate | undefined {
  const stop = block.indexOf(end)
  if (stop < 0) return undefined
  try {
    const { subject, issuer, validFrom, validTo } = new X509Certificate(`${begin}${block.slice(0, stop)}${end}\n`)
    return {
      subject: oneLine(subject),
      issuer: oneLine(issuer),
      notBefore: new Date(validFrom),
      notAfter: new Date(validTo),
    }
  } catch {
    // Garbage between the lines of a block is the file's, and is told by the count.
    return undefined
  }
}

/** Node prints one attribute per line. */
const oneLine = (name: string): string => name.split('\n').join(',')
