import { parse } from 'yaml'
import {
  type BundleName,
  type BundlePolicies,
  type BundlePolicy,
  type BundleSource,
  bundleCatalogue,
  bundleNames,
  bundlePolicies,
  defaultBundlePolicies,
} from './bundleCatalogue.ts'

/** In the operator's namespace: a key for each bundle, its value `policy` and `from` as YAML or JSON. */
export const bundleSettingsName = 'machine-config-certificate-sources'

export interface BundleSettings {
  readonly policies: BundlePolicies
  /** Sources that somebody named, in place of the catalogue's. */
  readonly sources: Readonly<Partial<Record<BundleName, readonly BundleSource[]>>>
  /** Bundles whose settings have a mistake: they stay as they are until it is corrected. */
  readonly unusable: ReadonlySet<BundleName>
  /** Everything that is wrong, by key. */
  readonly problems: readonly string[]
}

/**
 * Reads the settings of an administrator. Never throws. A bundle with a mistake keeps the policy that it had: a slip must
 * not write past a pause.
 */
export function parseBundleSettings(
  data: Readonly<Record<string, string>> | undefined,
  inForce: BundlePolicies = defaultBundlePolicies,
): BundleSettings {
  const unusable = new Set<BundleName>()
  const policies: Record<BundleName, BundlePolicy> = { ...defaultBundlePolicies }
  const sources: Partial<Record<BundleName, readonly BundleSource[]>> = {}
  const problems: string[] = []
  for (const [key, text] of Object.entries(data ?? {})) {
    const name = bundleNames.find((candidate) => candidate === key)
    if (!name) {
      problems.push(`${key}: there is no such bundle, expected one of ${bundleNames.join(', ')}`)
      continue
    }
    const found = readBundle(name, text)
    problems.push(...found.problems.map((problem) => `${key}: ${problem}`))
    if (found.problems.length > 0) {
      unusable.add(name)
      policies[name] = inForce[name]
      continue
    }
    if (found.policy) policies[name] = found.policy
    if (found.sources) sources[name] = found.sources
  }
  return { policies, sources, unusable, problems }
}

interface FoundBundle {
  readonly policy?: BundlePolicy
  readonly sources?: readonly BundleSource[]
  readonly problems: readonly string[]
}

function readBundle(name: BundleName, text: string): FoundBundle {
  const value = parseDocument(text)
  if (!value) return { problems: ['expected an object with policy and from, in YAML or JSON'] }
  const unknown = Object.keys(value).filter((member) => member !== 'policy' && member !== 'from')
  const problems = unknown.map((member) => `${member} is not known, expected policy or from`)
  const policy = value.policy === undefined ? {} : readPolicy(name, value.policy)
  const from = value.from === undefined ? {} : readSources(name, value.from)
  return {
    ...(policy.policy && { policy: policy.policy }),
    ...(from.sources && { sources: from.sources }),
    problems: [...problems, policy.problem, from.problem].filter((problem) => problem !== undefined),
  }
}

function readPolicy(name: BundleName, value: unknown): { policy?: BundlePolicy; problem?: string } {
  const { allowed } = bundleCatalogue[name]
  const policy = bundlePolicies.find((candidate) => candidate === value)
  if (policy && allowed.includes(policy)) return { policy }
  if (allowed.length === 0) return { problem: 'it is not written to nodes and has no policy; leave policy out' }
  const why = policy ? ': a change of it restarts the container runtime, which only an update may do' : ''
  return { problem: `policy is ${quoted(value)}, expected ${allowed.join(' or ')}${why}` }
}

function readSources(name: BundleName, value: unknown): { sources?: readonly BundleSource[]; problem?: string } {
  if (!Array.isArray(value) || value.length === 0 || value.length > 10)
    return { problem: 'from is not a list of one to ten objects' }
  const sources: BundleSource[] = []
  for (const [index, entry] of value.entries()) {
    const source = readSource(entry, bundleCatalogue[name].manyFiles)
    if (typeof source === 'string') return { problem: `from[${index}]: ${source}` }
    sources.push(source)
  }
  return { sources }
}

function readSource(value: unknown, manyFiles: boolean): BundleSource | string {
  const { kind = 'ConfigMap', namespace, name, key } = isObject(value) ? value : {}
  if (kind !== 'ConfigMap' && kind !== 'Secret') return `kind is ${quoted(kind)}, expected ConfigMap or Secret`
  if (typeof namespace !== 'string' || typeof name !== 'string' || namespace === '' || name === '')
    return 'namespace and name are expected, as texts'
  if (key !== undefined && (typeof key !== 'string' || key === '')) return `key is ${quoted(key)}, expected a text`
  if (!manyFiles && key === undefined) return 'key is missing, expected the key that holds the bundle'
  return { kind, namespace, name, ...(key !== undefined && { key }) }
}

function parseDocument(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0 })
    return isObject(value) ? value : undefined
  } catch {
    // The parser quotes the text, which may be a bundle or a key that was put into the wrong place.
    return undefined
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quoted = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60)
