import { decode, type TypeFault } from './decode.ts'
import { member, struct, text } from './shape.ts'

/** What `ignition.version` says about a document. */
export type VersionFinding =
  | { readonly kind: 'supported'; readonly family: 2 | 3; readonly minor: number; readonly declared: string }
  | { readonly kind: 'unknown'; readonly declared: string }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'wrongType'; readonly fault: TypeFault }

/** The versions that we read, as the original lists them. */
export const supportedVersions = '2.2,3.0,3.1,3.2,3.3,3.4,3.5'

const newestMinor: Readonly<Record<2 | 3, number>> = { 2: 2, 3: 5 }

/** Only exact releases are known: `3.5.1` and `3.2.0-experimental` are not, `3.2` is no version at all. */
export function findVersion(document: unknown): VersionFinding {
  const { value, fault } = decode(stub, document, 0)
  if (fault) return { kind: 'wrongType', fault }
  const ignition = value.Ignition
  const declared =
    typeof ignition === 'object' && ignition !== null ? (ignition as { Version?: string }).Version : undefined
  const version = parseVersion(declared ?? '')
  if (version === undefined || declared === undefined) return { kind: 'invalid' }
  const { major, minor, patch, suffix } = version
  const known = (major === 2 || major === 3) && minor <= newestMinor[major] && patch === 0 && suffix === ''
  if (!known) return { kind: 'unknown', declared }
  return { kind: 'supported', family: major, minor, declared }
}

/** The reference looks for the version with a struct of its own, whose names appear in its messages. */
const stub = struct(
  'versionStub',
  [member('Ignition', struct('', [member('Version', text)], { goType: 'struct { Version string }' }))],
  { goType: 'util.versionStub' },
)

/** The parts of a version text. */
interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** Pre-release and build metadata. */
  readonly suffix: string
}

/** Undefined for what is not of the form X.Y.Z, with or without a suffix. */
export function parseVersion(declared: string): Version | undefined {
  const match = /^\+?(\d+)\.\+?(\d+)\.\+?(\d+)([-+].*)?$/s.exec(declared)
  if (!match) return undefined
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3]), suffix: match[4] ?? '' }
}
