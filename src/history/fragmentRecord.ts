import { createHash } from 'node:crypto'
import { apiVersionOf } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { machineConfigAnnotation } from '../api/names.ts'

/** What is remembered of a MachineConfig, so that it can be created again as it was. */
export interface FragmentRecord {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: MachineConfig['spec']
}

/** Of no use once the object is another one, and large. */
const forgotten: ReadonlySet<string> = new Set(['kubectl.kubernetes.io/last-applied-configuration'])

export function fragmentToRecord({ metadata, spec }: MachineConfig): FragmentRecord {
  const annotations = Object.entries(metadata.annotations ?? {}).filter(([key]) => !forgotten.has(key))
  return {
    name: metadata.name ?? '',
    ...(metadata.labels && { labels: metadata.labels }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    ...(spec && { spec }),
  }
}

export function recordToFragment({ name, labels, annotations, spec }: FragmentRecord): MachineConfig {
  return {
    apiVersion: apiVersionOf(MachineConfig),
    kind: MachineConfig.kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    ...(spec && { spec }),
  }
}

/** Objects of a cache never change once read: an unchanged fragment is hashed once. */
const digests = new WeakMap<MachineConfig, string>()

/**
 * SHA-256 of what counts of a fragment: spec, labels, and the paths that are marked as secret. Marks that other tools keep on
 * it make it no other fragment. The same content has the same digest, in whatever order it is written.
 */
export function digestOf(config: MachineConfig): string {
  const known = digests.get(config)
  if (known !== undefined) return known
  const digest = recordDigest(fragmentToRecord(config))
  digests.set(config, digest)
  return digest
}

export function recordDigest({ name, labels = {}, annotations, spec = {} }: FragmentRecord): string {
  const secretPaths = annotations?.[machineConfigAnnotation.secretPaths] ?? ''
  return createHash('sha256').update(canonicalJson({ name, labels, secretPaths, spec })).digest('hex')
}

/** JSON with the members of each object in one order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
