import { type BundledCertificate, certificatesIn } from '../pemCertificates.ts'
import type { BundleName } from './bundleCatalogue.ts'
import type { BundleFiles } from './bundleFields.ts'

/** A rotation: which certificates came and went, as `SUBJECT (until TIME)`. */
export interface BundleChange {
  readonly bundle: BundleName
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Compares certificates, not texts: another order is no rotation. */
export function bundleChange(bundle: BundleName, old: BundleFiles, next: BundleFiles): BundleChange | undefined {
  const [before, after] = [certificatesOf(old), certificatesOf(next)]
  const only = (here: Certificates, there: Certificates): string[] =>
    [...here]
      .filter(([key]) => !there.has(key))
      .map(([, { subject, notAfter }]) => `${subject} (until ${notAfter.toISOString()})`)
  const [added, removed] = [only(after, before), only(before, after)]
  return added.length + removed.length === 0 ? undefined : { bundle, added, removed }
}

/** One sentence for people; a long list is cut and counted. */
export function changeText({ bundle, added, removed }: BundleChange): string {
  const parts = [
    ...(added.length > 0 ? [`new: ${listed(added)}`] : []),
    ...(removed.length > 0 ? [`gone: ${listed(removed)}`] : []),
  ]
  return `bundle ${bundle}: ${parts.join('; ')}`
}

const shown = 4

const listed = (lines: readonly string[]): string =>
  `${lines.slice(0, shown).join(', ')}${lines.length > shown ? ` and ${lines.length - shown} more` : ''}`

type Certificates = ReadonlyMap<string, BundledCertificate>

const certificatesOf = (files: BundleFiles): Certificates =>
  new Map(
    [...files].flatMap(([file, text]) =>
      certificatesIn(text).certificates.map(
        (certificate) => [`${file} ${certificate.fingerprint}`, certificate] as const,
      ),
    ),
  )
