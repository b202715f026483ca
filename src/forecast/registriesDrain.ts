import { parse } from 'smol-toml'

/**
 * Is a change of /etc/containers/registries.conf (containers-registries v2 TOML) safe for running pods, so that the node
 * need not be drained? `null` stands for a config without the file.
 *
 * Safe means: the search list only grew at its end; no registry went away; a kept registry has the same prefix, location,
 * blocked and insecure; mirrors only came in, and an image can be pulled from a new mirror by digest only.
 */
export function registriesChangeIsSafe(oldText: string | null, newText: string | null): RegistriesVerdict {
  if (oldText === newText) return { safe: true, reason: 'the file did not change' }
  const before = parseRegistries(oldText ?? '')
  if ('error' in before) return { safe: false, reason: before.error, error: before.error }
  const after = parseRegistries(newText ?? '')
  if ('error' in after) return { safe: false, reason: after.error, error: after.error }
  const reason = whyUnsafe(before, after)
  return reason === undefined
    ? { safe: true, reason: 'only mirrors pulled by digest, or search registries at the end, were added' }
    : { safe: false, reason }
}

export interface RegistriesVerdict {
  readonly safe: boolean
  readonly reason: string
  /** Set when one of the files is not valid TOML of the expected form. */
  readonly error?: string
}

interface Mirror {
  readonly location: string
  readonly pullFromMirror: string
}

interface Registry {
  readonly prefix: string
  readonly location: string
  readonly blocked: boolean
  readonly insecure: boolean
  readonly mirrorByDigestOnly: boolean
  readonly mirrors: readonly Mirror[]
}

interface Registries {
  readonly search: readonly string[]
  /** By scope: the prefix, or the location where the prefix is empty. The last entry of a scope wins. */
  readonly byScope: ReadonlyMap<string, Registry>
}

function whyUnsafe(before: Registries, after: Registries): string | undefined {
  const keptSearch = before.search.every((registry, index) => after.search[index] === registry)
  if (!keptSearch) return 'unqualified-search-registries changed other than by additions at its end'
  for (const [scope, registry] of before.byScope) {
    const now = after.byScope.get(scope)
    if (!now) return `registry ${scope} was removed`
    const reason = whyUnsafeRegistry(scope, registry, now)
    if (reason !== undefined) return reason
  }
  for (const [scope, registry] of after.byScope) {
    if (before.byScope.has(scope)) continue
    if (!pullsByDigestOnly(registry))
      return `registry ${scope} was added with images that are not pulled by digest only`
  }
  return undefined
}

function whyUnsafeRegistry(scope: string, before: Registry, after: Registry): string | undefined {
  for (const key of ['prefix', 'location', 'blocked', 'insecure'] as const) {
    if (before[key] !== after[key]) return `${key} of registry ${scope} changed`
  }
  const mirrors = new Map(after.mirrors.map((mirror) => [mirror.location, mirror]))
  for (const mirror of before.mirrors) {
    const now = mirrors.get(mirror.location)
    if (!now) return `mirror ${mirror.location} of registry ${scope} was removed`
    const setting = now.pullFromMirror
    if (setting !== mirror.pullFromMirror && setting !== 'digest-only')
      return `mirror ${mirror.location} of registry ${scope} is no longer pulled by digest only`
  }
  const known = new Set(before.mirrors.map((mirror) => mirror.location))
  const added = after.mirrors.find(
    (mirror) => !known.has(mirror.location) && mirror.pullFromMirror !== 'digest-only' && !after.mirrorByDigestOnly,
  )
  return added && `mirror ${added.location} was added to registry ${scope} without pull-from-mirror "digest-only"`
}

/**
 * An added registry is harmless when every mirror has the digest-only setting; without mirrors the registry itself must
 * have mirror-by-digest-only.
 */
function pullsByDigestOnly(registry: Registry): boolean {
  if (registry.mirrors.length === 0) return registry.mirrorByDigestOnly
  return registry.mirrors.every((mirror) => mirror.pullFromMirror === 'digest-only')
}

function parseRegistries(text: string): Registries | { readonly error: string } {
  try {
    const document = parse(text)
    const search = listOf(document['unqualified-search-registries'], 'unqualified-search-registries').map((entry) =>
      stringOf(entry, 'unqualified-search-registries'),
    )
    const registries = listOf(document.registry, 'registry').map((entry) => toRegistry(tableOf(entry, 'registry')))
    return { search, byScope: new Map(registries.map((registry) => [registry.prefix || registry.location, registry])) }
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return { error: `failed decoding TOML content from file /etc/containers/registries.conf: toml: ${detail}` }
  }
}

function toRegistry(table: Readonly<Record<string, unknown>>): Registry {
  return {
    prefix: stringOf(table.prefix ?? '', 'prefix'),
    location: stringOf(table.location ?? '', 'location'),
    blocked: flag(table.blocked, 'blocked'),
    insecure: flag(table.insecure, 'insecure'),
    mirrorByDigestOnly: flag(table['mirror-by-digest-only'], 'mirror-by-digest-only'),
    mirrors: listOf(table.mirror, 'mirror').map((entry) => {
      const mirror = tableOf(entry, 'mirror')
      return {
        location: stringOf(mirror.location ?? '', 'location'),
        pullFromMirror: stringOf(mirror['pull-from-mirror'] ?? '', 'pull-from-mirror'),
      }
    }),
  }
}

function listOf(value: unknown, key: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value))
    throw new TypeError(`(last key "${key}"): incompatible types: found ${typeof value}, expected a list`)
  return value
}

function tableOf(value: unknown, key: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new TypeError(`(last key "${key}"): incompatible types: found ${typeof value}, expected a table`)
}

function stringOf(value: unknown, key: string): string {
  if (typeof value !== 'string')
    throw new TypeError(`(last key "${key}"): incompatible types: found ${typeof value}, expected a string`)
  return value
}

function flag(value: unknown, key: string): boolean {
  if (value === undefined) return false
  if (typeof value !== 'boolean')
    throw new TypeError(`(last key "${key}"): incompatible types: found ${typeof value}, expected true or false`)
  return value
}
