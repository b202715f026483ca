import { isDeepStrictEqual } from 'node:util'
import type { MachineConfig, MachineConfigSpec } from '../api/machineConfig.ts'
import type { ObjectMeta, OwnerReference } from '../api/meta.ts'

export type Application =
  | { readonly kind: 'create'; readonly object: MachineConfig }
  /** `changed` names what had drifted. */
  | { readonly kind: 'update'; readonly object: MachineConfig; readonly changed: readonly string[] }
  | { readonly kind: 'unchanged' }

/**
 * What must be written so that the API server holds the rendered config as required (spec: render 11). Foreign labels,
 * annotations and owners are kept; empty strings of the requirement do not erase; everything else is put back.
 */
export function applyRendered(existing: MachineConfig | undefined, required: MachineConfig): Application {
  if (!existing) return { kind: 'create', object: required }
  const metadata = mergeMetadata(existing.metadata, required.metadata)
  const spec = mergeSpec(existing.spec ?? {}, required.spec ?? {})
  const changed = [
    ...changedKeys(existing.metadata, metadata).map((key) => `metadata.${key}`),
    ...changedKeys(existing.spec ?? {}, spec).map((key) => `spec.${key}`),
  ]
  return changed.length === 0
    ? { kind: 'unchanged' }
    : { kind: 'update', object: { ...existing, metadata, spec }, changed }
}

function mergeMetadata(existing: ObjectMeta, required: ObjectMeta): ObjectMeta {
  const labels = required.labels && { ...existing.labels, ...required.labels }
  const annotations = required.annotations && { ...existing.annotations, ...required.annotations }
  const owners = mergeOwners(existing.ownerReferences ?? [], required.ownerReferences ?? [])
  return {
    ...existing,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(owners.length > 0 && { ownerReferences: owners }),
  }
}

/** Owners are the same when group, kind and name are: a pool that was recreated keeps its place with its new uid. */
function mergeOwners(existing: readonly OwnerReference[], required: readonly OwnerReference[]): OwnerReference[] {
  const isSame = (a: OwnerReference, b: OwnerReference) =>
    a.name === b.name && a.kind === b.kind && groupOf(a) === groupOf(b)
  const kept = existing.map((owner) => required.find((wanted) => isSame(owner, wanted)) ?? owner)
  return [...kept, ...required.filter((wanted) => !existing.some((owner) => isSame(owner, wanted)))]
}

const groupOf = ({ apiVersion }: OwnerReference): string => apiVersion.split('/')[0] ?? ''

function mergeSpec(existing: MachineConfigSpec, required: MachineConfigSpec): MachineConfigSpec {
  const text = (key: 'osImageURL' | 'kernelType' | 'baseOSExtensionsContainerImage') => {
    const value = required[key] || existing[key]
    return value === undefined ? {} : { [key]: value }
  }
  const list = (key: 'kernelArguments' | 'extensions') =>
    isDeepStrictEqual(existing[key] ?? [], required[key] ?? []) ? {} : { [key]: required[key] ?? [] }
  return {
    ...existing,
    ...text('osImageURL'),
    ...text('kernelType'),
    ...text('baseOSExtensionsContainerImage'),
    ...list('kernelArguments'),
    ...list('extensions'),
    ...((existing.fips ?? false) === (required.fips ?? false) ? {} : { fips: required.fips ?? false }),
    ...(isDeepStrictEqual(existing.config ?? null, required.config ?? null) ? {} : { config: required.config ?? null }),
  }
}

function changedKeys<T extends object>(before: T, after: T): string[] {
  return Object.keys(after).filter((key) => !isDeepStrictEqual(before[key as keyof T], after[key as keyof T]))
}
