import { Entry } from '../store/entry.ts'
import { schemaOf } from './compiledSchema.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
import { resourceApiVersion } from './resource.ts'

const conversions = new WeakMap<ResourceDefinition, WeakMap<Entry, Entry>>()

/**
 * A stored object as one of the resources that show it: mostly the stored object itself, else converted once and kept
 * as long as the stored one. Versions of one kind differ by their apiVersion only (conversion strategy `None`). A custom
 * resource that is older than its definition gets the defaults, and loses the fields, that the schema now says.
 */
export function served(resource: ResourceDefinition, entry: Entry): Entry {
  const hasForm = entry.object.apiVersion === resourceApiVersion(resource) && entry.object.kind === resource.kind
  if (hasForm && !isOlder(entry, resource)) return entry
  let byEntry = conversions.get(resource)
  if (!byEntry) {
    byEntry = new WeakMap()
    conversions.set(resource, byEntry)
  }
  let converted = byEntry.get(entry)
  if (!converted) {
    converted = new Entry(entry.path, entry.revision, fromStored(resource, entry))
    byEntry.set(entry, converted)
  }
  return converted
}

const isOlder = ({ revision }: Entry, { definedAt = 0 }: ResourceDefinition): boolean => revision < definedAt

function fromStored(resource: ResourceDefinition, entry: Entry): ApiObject {
  const { object } = entry
  const own = resource.storedAs ? resource.storedAs.fromStored(object) : object
  const schema = isOlder(entry, resource) ? schemaOf(resource) : undefined
  const current = schema ? (schema.applyDefaults(schema.prune(own).value) as ApiObject) : own
  return { ...current, apiVersion: resourceApiVersion(resource), kind: resource.kind }
}

/** The form that is stored. `storage` is the definition that owns the collection. */
export function toStored(resource: ResourceDefinition, storage: ResourceDefinition, object: ApiObject): ApiObject {
  const own = resource.storedAs ? resource.storedAs.toStored(object) : object
  return { ...own, apiVersion: resourceApiVersion(storage), kind: storage.kind }
}
