import { parseVersion } from '../ignition/version.ts'

/** The Ignition version that a client gets, `MAJOR.MINOR.0`, or why it can get none. */
export type Negotiation =
  | { readonly kind: 'accepted'; readonly version: ServedVersion }
  | { readonly kind: 'refused'; readonly message: string }

/** What the server can write, as it stands in `ignition.version`. */
export type ServedVersion = (typeof servedVersions)[number]
const servedVersions = ['2.2.0', '3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0', '3.5.0'] as const

/**
 * Picks the Ignition version by the Accept header. The first entry with a version decides, in the order of preference: there is
 * no falling back to a later one, because an Ignition that lists several can read the first. Without any such entry it is 2.2.0,
 * which plain HTTP clients have always been given.
 */
export function negotiateVersion(accept: string | undefined): Negotiation {
  const wanted = entriesOf(accept ?? '').find(({ subtype, version }) => subtype === ignitionSubtype && version)?.version
  if (wanted === undefined) return { kind: 'accepted', version: withoutPreference }
  const version = servedFor(wanted)
  if (version) return { kind: 'accepted', version }
  return { kind: 'refused', message: `unsupported Ignition version in Accept header: ${accept}` }
}

const ignitionSubtype = 'vnd.coreos.ignition+json'
const withoutPreference: ServedVersion = '2.2.0'
const newest = { major: 3, minor: 5, version: '3.5.0' } as const

interface Wanted {
  readonly major: number
  readonly minor: number
}

/** Patch and pre-release do not matter. A newer minor version than ours also reads ours. */
function servedFor({ major, minor }: Wanted): ServedVersion | undefined {
  if (major === 2 && minor >= 2) return '2.2.0'
  if (major === newest.major && minor > newest.minor) return newest.version
  return servedVersions.find((version) => version === `${major}.${minor}.0`)
}

interface Entry {
  readonly subtype: string
  readonly version: Wanted | undefined
  readonly quality: number
}

/** The usable entries, best first; equal ones keep their order. */
function entriesOf(accept: string): readonly Entry[] {
  return accept
    .split(',')
    .flatMap((text) => {
      const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
      const slash = type.indexOf('/')
      if (slash < 0) return []
      return [{ subtype: type.slice(slash + 1), version: versionOf(parameters), quality: qualityOf(parameters) }]
    })
    .sort((a, b) => (b.quality > a.quality ? 1 : b.quality < a.quality ? -1 : 0))
}

const versionOf = (parameters: readonly string[]): Wanted | undefined =>
  valuesOf(parameters, 'version=').map(parseVersion).find(Boolean)

const qualityOf = (parameters: readonly string[]): number =>
  valuesOf(parameters, 'q=')
    .map(parseQuality)
    .find((quality) => quality !== undefined) ?? 1

/** Names are matched exactly, without blanks around `=`. */
const valuesOf = (parameters: readonly string[], prefix: string): readonly string[] =>
  parameters.filter((parameter) => parameter.startsWith(prefix)).map((parameter) => parameter.slice(prefix.length))

function parseQuality(text: string): number | undefined {
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Number(text)
  // A number that is too large is not a number for the original either.
  return Number.isFinite(value) ? value : undefined
}
