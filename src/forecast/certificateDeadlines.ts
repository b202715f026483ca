import { certificatesIn } from '../certificates/pemCertificates.ts'
import { decodeContents } from '../ignition/contents.ts'
import type { File } from '../ignition/types.ts'

/** When nodes lose what a waiting change would renew, and until when the renewal lasts. Subjects and times, never contents. */
export interface CertificateDeadline {
  readonly path: string
  /** Of the certificate that nodes hold now; it ends without a successor until the change arrives. */
  readonly subject: string
  /** RFC 3339. */
  readonly expires: string
  /** The latest end of the certificates that the change brings in its place; absent when it brings none. */
  readonly renewedUntil?: string
}

/** What a waiting file says about certificates. */
export interface WaitingCertificates {
  readonly deadlines: readonly CertificateDeadline[]
  /** Certificates that are only in the waiting file: subject and end. */
  readonly brings: readonly { readonly subject: string; readonly expires: string }[]
  /** Blocks of either side that are no certificate. */
  readonly unreadable: number
}

/**
 * Compares the certificates of a file on the nodes with those of the file that waits, whichever path it has. What nodes hold
 * and keep sets no deadline. What is replaced does: by a certificate of the same subject, where rotations that count up
 * behind an `@` are the same subject, or, when no subject is the same, by being absent from the waiting file.
 */
export function waitingCertificates(
  path: string,
  held: File | undefined,
  waiting: File | undefined,
): WaitingCertificates {
  const [now, next] = [certificatesOf(held), certificatesOf(waiting)]
  const nextKeys = new Set(next.certificates.map(keyOf))
  const nowKeys = new Set(now.certificates.map(keyOf))
  const added = next.certificates.filter((certificate) => !nowKeys.has(keyOf(certificate)))
  const renewed = new Set(added.map(lineOf))
  const replaced = now.certificates.filter((certificate) => renewed.has(lineOf(certificate)))
  const gone = now.certificates.filter((certificate) => added.length > 0 && !nextKeys.has(keyOf(certificate)))
  const lines = newestOfEach(replaced.length > 0 ? replaced : gone)
  return {
    deadlines: lines.map(({ subject, notAfter }): CertificateDeadline => {
      const successors = added.filter(
        (certificate) => replaced.length === 0 || lineOf(certificate) === lineOf({ subject }),
      )
      const last = Math.max(...successors.map((certificate) => certificate.notAfter.getTime()))
      return {
        path,
        subject,
        expires: notAfter.toISOString(),
        ...(Number.isFinite(last) && { renewedUntil: new Date(last).toISOString() }),
      }
    }),
    brings: added.map(({ subject, notAfter }) => ({ subject, expires: notAfter.toISOString() })),
    unreadable: now.unreadable + next.unreadable,
  }
}

type Certificates = ReturnType<typeof certificatesIn>
type Certificate = Certificates['certificates'][number]

const none: Certificates = { certificates: [], unreadable: 0 }

/**
 * What is asked again and again, by every scrape and every look at a rollout, and takes long to read: the last large
 * bundles, by their encoded text.
 */
const remembered = new Map<string, Certificates>()
const largeBundle = 20
const maxRemembered = 16

function certificatesOf(file: File | undefined): Certificates {
  const key = `${file?.contents?.compression ?? ''} ${file?.contents?.source ?? ''}`
  const known = remembered.get(key)
  if (known) return known
  const { value } = decodeContents(file?.contents)
  const found = value ? certificatesIn(value) : none
  if (found.certificates.length < largeBundle) return found
  const [oldest] = remembered.keys()
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest)
  remembered.set(key, found)
  return found
}

const keyOf = ({ subject, issuer, notBefore, notAfter }: Certificate): string =>
  [subject, issuer, notBefore.toISOString(), notAfter.toISOString()].join('\n')

/** `CN=signer@1590000000` is the same authority as `CN=signer@1600000000`, one rotation earlier. */
const lineOf = ({ subject }: Pick<Certificate, 'subject'>): string => subject.replace(/@\d+/g, '')

/** Of each line the certificate that lasts longest: nodes are served until that one ends. */
function newestOfEach(certificates: readonly Certificate[]): Certificate[] {
  const newest = new Map<string, Certificate>()
  for (const certificate of certificates) {
    const known = newest.get(lineOf(certificate))
    if (!known || known.notAfter < certificate.notAfter) newest.set(lineOf(certificate), certificate)
  }
  return [...newest.values()].sort((a, b) => a.notAfter.getTime() - b.notAfter.getTime())
}
