/**
 * When the config server's authority and its serving certificate are replaced. The annotations of their Secrets are the
 * record: setting `certificate-not-after` of the authority to a past time forces a rotation.
 */
export interface CertificateRecord {
  readonly notBefore: Date
  readonly notAfter: Date
  /** After this long the certificate is replaced though it is still valid. */
  readonly refreshMs: number
  /** Common name of whoever signed it. */
  readonly issuer: string
  readonly hostnames: readonly string[]
}

/** A Secret as the decision sees it. `unusable`: its certificate and key cannot be read, or do not belong together. */
export type FoundCertificate =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'present'; readonly record: CertificateRecord | undefined }

export interface RotationView {
  readonly signer: FoundCertificate
  readonly serving: FoundCertificate
  /** Common names of the valid authorities that clients are told to trust. */
  readonly trusted: ReadonlySet<string>
  /** What the serving certificate must name. */
  readonly names: readonly string[]
}

export type RotationReason =
  | 'Missing'
  | 'Unusable'
  | 'NoRecord'
  | 'Expired'
  | 'PastMostOfItsLife'
  | 'PastRefresh'
  | 'IssuerNotTrusted'
  | 'NamesDiffer'

export interface RotationPlan {
  readonly signer: RotationReason | undefined
  readonly serving: RotationReason | undefined
  /** The next time at which the passing of time alone may change the answer. */
  readonly nextAt: Date
}

/** Part of its life after which a certificate is replaced, whatever its refresh period says. */
const mostOfLife = 0.8
/** A new authority is known to all clients before it signs: a tenth of the refresh period, if the old certificate lasts. */
const spreadShare = 0.1
const lookAgainMs = 3_600_000

export function decideRotation({ signer, serving, trusted, names }: RotationView, now: Date): RotationPlan {
  const signerReason = whyReplaced(signer, now)
  const servingReason =
    whyReplacedAtOnce(serving, trusted, names, now) ??
    (mayWait(signer, signerReason, serving, now) ? undefined : whyReplaced(serving, now))
  const times = [signer, serving].flatMap((found) => duesOf(found)).filter((due) => due > now.getTime())
  return {
    signer: signerReason,
    serving: servingReason,
    nextAt: new Date(Math.min(now.getTime() + lookAgainMs, ...times)),
  }
}

/** By its own record alone. */
function whyReplaced(found: FoundCertificate, now: Date): RotationReason | undefined {
  if (found.kind === 'missing') return 'Missing'
  if (found.kind === 'unusable') return 'Unusable'
  if (!found.record) return 'NoRecord'
  const { notAfter } = found.record
  if (now >= notAfter) return 'Expired'
  if (now.getTime() >= mostOfLifeAt(found.record)) return 'PastMostOfItsLife'
  return now.getTime() >= refreshAt(found.record) ? 'PastRefresh' : undefined
}

/** What makes a serving certificate useless now: clients would refuse it. */
function whyReplacedAtOnce(
  serving: FoundCertificate,
  trusted: ReadonlySet<string>,
  names: readonly string[],
  now: Date,
): RotationReason | undefined {
  if (serving.kind !== 'present') return whyReplaced(serving, now)
  const { record } = serving
  if (!record || now >= record.notAfter) return whyReplaced(serving, now)
  if (!trusted.has(record.issuer)) return 'IssuerNotTrusted'
  return sameNames(record.hostnames, names) ? undefined : 'NamesDiffer'
}

/**
 * A serving certificate that is only old waits until its successor's authority has spread: clients that still have the old
 * bundle go on. Not when it would expire meanwhile.
 */
function mayWait(
  signer: FoundCertificate,
  signerReason: RotationReason | undefined,
  serving: FoundCertificate,
  now: Date,
): boolean {
  if (serving.kind !== 'present' || !serving.record) return false
  const { record } = serving
  const spreadMs = record.refreshMs * spreadShare
  if (record.notAfter.getTime() - now.getTime() < spreadMs / 2) return false
  if (signerReason !== undefined) return true
  if (signer.kind !== 'present' || !signer.record) return false
  return now.getTime() - signer.record.notBefore.getTime() < spreadMs
}

const mostOfLifeAt = ({ notBefore, notAfter }: CertificateRecord): number =>
  notBefore.getTime() + (notAfter.getTime() - notBefore.getTime()) * mostOfLife

const refreshAt = ({ notBefore, refreshMs }: CertificateRecord): number => notBefore.getTime() + refreshMs

function duesOf(found: FoundCertificate): readonly number[] {
  if (found.kind !== 'present' || !found.record) return []
  const { record } = found
  const spreadMs = record.refreshMs * spreadShare
  return [
    record.notAfter.getTime(),
    record.notAfter.getTime() - spreadMs / 2,
    record.notBefore.getTime() + spreadMs,
    mostOfLifeAt(record),
    refreshAt(record),
  ]
}

const sameNames = (found: readonly string[], wanted: readonly string[]): boolean =>
  JSON.stringify([...new Set(found)].sort()) === JSON.stringify([...new Set(wanted)].sort())
