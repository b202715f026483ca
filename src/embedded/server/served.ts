import { Entry } from '../store/entry.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
import { resourceApiVersion } from './resource.ts'

const conversions = new WeakMap<ResourceDefinition, WeakMap<Entry, Entry>>()

/**
 * A stored object as one of the resources that show it: mostly the stored object itself, else converted once and kept
 * as long as the stored one. Versions of one kind differ by their apiVersion only (conversion strategy `None`).
 */
export function served(resource: ResourceDefinition, entry: Entry): Entry {
  if (entry.object.apiVersion === resourceApiVersion(resource) && entry.object.kind === resource.kind) return entry
  let byEntry = conversions.get(resource)
  if (!byEntry) {
    byEntry = new WeakMap()
    conversions.set(resource, byEntry)
  }
  let converted = byEntry.get(entry)
  if (!converted) {
    converted = new Entry(entry.path, entry.revision, fromStored(resource, entry.object))
    byEntry.set(entry, converted)
  }
  return converted
}

function fromStored(resource: ResourceDefinition, object: ApiObject): ApiObject {
  const own = resource.storedAs ? resource.storedAs.fromStored(object) : object
  return { ...own, apiVersion: resourceApiVersion(resource), kind: resource.kind }
}

/** The form that is stored. `storage` is the definition that owns the collection. */
export function toStored(resource: ResourceDefinition, storage: ResourceDefinition, object: ApiObject): ApiObject {
  const own = resource.storedAs ? resource.storedAs.toStored(object) : object
  return { ...own, apiVersion: resourceApiVersion(storage), kind: storage.kind }
}
