import type { KubernetesObject, ManagedFieldsEntry } from '../api/meta.ts'

/** Who set a field last, as the API server remembers it. */
export interface FieldOwner {
  readonly manager: string
  /** `Apply` for server-side apply; absent where the API server does not say. */
  readonly operation?: 'Apply' | 'Update'
  /** RFC 3339. */
  readonly time: string | undefined
}

/**
 * The newest manager of one field, e.g. `['spec', 'unschedulable']`. Undefined when the object carries no managedFields:
 * controllers' caches drop them.
 */
export function fieldOwner({ metadata }: KubernetesObject, path: readonly string[]): FieldOwner | undefined {
  const owners = (metadata.managedFields ?? []).filter((entry) => owns(entry, path))
  const newest = owners.toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? 1 : -1))[0]
  if (!newest) return undefined
  const { manager = 'unknown', operation, time } = newest
  return { manager, time, ...(operation && { operation }) }
}

function owns({ fieldsV1 }: ManagedFieldsEntry, path: readonly string[]): boolean {
  let fields: unknown = fieldsV1
  for (const name of path) {
    if (typeof fields !== 'object' || fields === null) return false
    fields = Object.getOwnPropertyDescriptor(fields, `f:${name}`)?.value
  }
  return fields !== undefined
}
