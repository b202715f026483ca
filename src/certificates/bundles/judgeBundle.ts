import { type BundledCertificate, certificatesIn } from '../pemCertificates.ts'

type BundleProblemReason = 'SourceMissing' | 'SourceEmpty' | 'Unreadable' | 'Damaged' | 'Expired' | 'TooLarge'

export interface BundleProblem {
  readonly reason: BundleProblemReason
  readonly message: string
}

/** What becomes of a text that a source offers. A refused one never replaces what the cluster has. */
export type BundleVerdict =
  | { readonly kind: 'accepted'; readonly pem: string; readonly problem?: BundleProblem }
  | { readonly kind: 'refused'; readonly problem: BundleProblem }

/**
 * Whether a text may take the place of the present bundle. Only the certificates are taken, each once: a key or a comment
 * that stands between them must not reach nodes.
 */
export function judgeBundle(text: string, present: string, now: Date): BundleVerdict {
  const { certificates, unreadable } = certificatesIn(text)
  const good = certificatesIn(present).certificates.some(({ notAfter }) => now < notAfter)
  if (certificates.length === 0) return refused(...emptyProblem(text, unreadable))
  if (unreadable > 0 && good)
    return refused('Damaged', `${unreadable} of ${certificates.length + unreadable} blocks are no certificate`)
  if (good && certificates.every(({ notAfter }) => notAfter <= now))
    return refused(
      'Expired',
      `all ${certificates.length} certificates have ended, the last at ${lastEnd(certificates)}`,
    )
  const pem = compact(certificates)
  if (unreadable === 0) return { kind: 'accepted', pem }
  const message = `${unreadable} of ${certificates.length + unreadable} blocks are no certificate and were left out`
  return { kind: 'accepted', pem, problem: { reason: 'Damaged', message } }
}

function emptyProblem(text: string, unreadable: number): [BundleProblemReason, string] {
  if (text.trim() === '') return ['SourceEmpty', 'it is empty']
  return ['Unreadable', `it has no readable certificate (${text.length} characters, ${unreadable} damaged blocks)`]
}

const refused = (reason: BundleProblemReason, message: string): BundleVerdict => ({
  kind: 'refused',
  problem: { reason, message },
})

function compact(certificates: readonly BundledCertificate[]): string {
  const once = new Map(certificates.map((certificate) => [certificate.fingerprint, certificate.pem]))
  return [...once.values()].map((pem) => `${pem}\n`).join('')
}

const lastEnd = (certificates: readonly BundledCertificate[]): string =>
  new Date(Math.max(...certificates.map(({ notAfter }) => notAfter.getTime()))).toISOString()
