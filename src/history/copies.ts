import { gunzipSync, gzipSync } from 'node:zlib'
import { Secret } from '../api/core.ts'
import { apiVersionOf } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { operatorNamespace } from '../api/names.ts'
import { poolOfRendered, renderedName } from '../render/renderedName.ts'
import type { YamlMap } from '../render/specYaml.ts'
import { type FragmentRecord, fragmentToRecord, recordDigest } from './fragmentRecord.ts'

/**
 * Copies that outlive what they copy: of every fragment that a revision names, by the digest of its content, and of every
 * rendered config, by its name. In Secrets, because configs hold secrets. What is read back is compared with the name that
 * it was kept under, so that nobody brings other content onto nodes by editing a copy.
 */
export const copyLabel = 'machineconfig.io/history'
const secretType = 'machineconfig.io/history'
const dataKey = 'object.json.gz'

/** The API server refuses Secrets whose data is above 1 MiB; what does not fit in is not kept. */
const maxBytes = 1 << 20
/** Nothing that came from a Secret may unpack to more than an object can be. */
const maxUnpackedBytes = 16 << 20

export const fragmentCopyName = (digest: string): string => `history-fragment-${digest.slice(0, 40)}`
export const renderedCopyName = (name: string): string => `history-${name}`

/** Undefined: too large to be kept. */
export const fragmentToCopy = (config: MachineConfig, digest: string): Secret | undefined =>
  toCopy(fragmentCopyName(digest), 'fragment', fragmentToRecord(config))

/** Undefined: too large to be kept. */
export function renderedToCopy({ metadata, spec }: MachineConfig): Secret | undefined {
  const { name = '', annotations } = metadata
  return toCopy(renderedCopyName(name), 'rendered', { name, annotations, spec })
}

function toCopy(name: string, what: 'fragment' | 'rendered', value: unknown): Secret | undefined {
  const bytes = gzipSync(JSON.stringify(value), { level: 9 })
  if (bytes.length > maxBytes) return undefined
  return {
    apiVersion: apiVersionOf(Secret),
    kind: Secret.kind,
    metadata: { name, namespace: operatorNamespace, labels: { [copyLabel]: what } },
    type: secretType,
    immutable: true,
    data: { [dataKey]: bytes.toString('base64') },
  }
}

/** Undefined: the copy is damaged, or is one of something else. */
export function copyToFragment(copy: Secret, digest: string): FragmentRecord | undefined {
  const value = contentOf(copy) as FragmentRecord | undefined
  return value !== undefined && recordDigest(value) === digest ? value : undefined
}

/**
 * The rendered config as it was, owned by `owner`, a pool. Undefined: the copy is damaged, or its content does not have
 * this name.
 */
export function copyToRendered(copy: Secret, name: string, owner: Owner): MachineConfig | undefined {
  const value = contentOf(copy) as { annotations?: Record<string, string>; spec?: MachineConfig['spec'] } | undefined
  if (!value?.spec) return undefined
  const named = renderedName(poolOfRendered(name) ?? '', value.spec as YamlMap)
  if ('error' in named || named.name !== name) return undefined
  return {
    apiVersion: apiVersionOf(MachineConfig),
    kind: MachineConfig.kind,
    metadata: {
      name,
      ...(value.annotations && { annotations: value.annotations }),
      ownerReferences: [ownerOf(owner, name)],
    },
    spec: value.spec,
  }
}

/** Of a config that another pool made `pool` only keeps it: an object has one controller, and that pool may come back. */
const ownerOf = ({ name, uid }: Owner, config: string) => ({
  apiVersion: apiVersionOf(MachineConfig),
  kind: 'MachineConfigPool',
  name,
  uid,
  ...(poolOfRendered(config) === name && { controller: true, blockOwnerDeletion: true }),
})

interface Owner {
  readonly name: string
  readonly uid: string
}

function contentOf({ data }: Secret): unknown {
  try {
    const bytes = gunzipSync(Buffer.from(data?.[dataKey] ?? '', 'base64'), { maxOutputLength: maxUnpackedBytes })
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Whatever is wrong with the bytes, there is no copy in them; the caller says so.
    return undefined
  }
}
