import { X509Certificate } from 'node:crypto'

/** One authority of a bundle. */
export interface Authority {
  readonly pem: string
  readonly commonName: string
  readonly notAfter: Date
  readonly raw: Buffer
}

/** The certificates of a PEM text; parts that are none are left out. */
export function readBundle(text: string): readonly Authority[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  return blocks.flatMap((block) => readAuthority(block) ?? [])
}

/**
 * What clients should trust: the present authority and every earlier one that is still valid, each once, in the order of
 * their bytes, so that the same authorities are always the same text.
 */
export function mergeBundle(text: string, authorityPem: string, now: Date): string {
  const valid = readBundle(`${text}\n${authorityPem}`).filter(({ notAfter }) => now < notAfter)
  const byBytes = new Map(valid.map((authority) => [authority.raw.toString('hex'), authority.pem] as const))
  return [...byBytes.keys()]
    .sort()
    .map((key) => `${byBytes.get(key)}\n`)
    .join('')
}

/** Common names of the authorities that are valid now. */
export const trustedNames = (text: string, now: Date): ReadonlySet<string> =>
  new Set(
    readBundle(text)
      .filter(({ notAfter }) => now < notAfter)
      .map(({ commonName }) => commonName),
  )

function readAuthority(block: string): Authority | undefined {
  try {
    const { subject, validTo, raw } = new X509Certificate(block)
    return { pem: block, commonName: commonNameOf(subject), notAfter: new Date(validTo), raw }
  } catch {
    // Damaged by hand: the others must still be trusted.
    return undefined
  }
}

/** Of a subject or issuer as Node prints it: one attribute per line. */
export const commonNameOf = (name: string): string => /^CN=(.*)$/m.exec(name)?.[1] ?? ''
