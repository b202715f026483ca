import { isDeepStrictEqual } from 'node:util'
import type { ObjectMeta } from '../../api/meta.ts'
import { metadataForUpdate } from './objectMeta.ts'
import { type ApiObject, hasSubresource, type ResourceDefinition } from './resource.ts'

/** A new object as the client may shape it: no status where status has its own subresource. */
export function shapeForCreate(resource: ResourceDefinition, object: ApiObject, metadata: ObjectMeta): ApiObject {
  const { apiVersion, kind, metadata: _given, status, ...rest } = object
  const keepsStatus = resource.keepsStatusOnCreate === true || !hasSubresource(resource, 'status')
  return { apiVersion, kind, metadata, ...rest, ...(keepsStatus && status !== undefined ? { status } : {}) }
}

/**
 * Which parts of an update count. The main resource cannot change status; the status subresource changes status only
 * (built-in kinds: also labels, annotations and finalizers; custom resources: nothing else), see API conventions,
 * "Spec and Status".
 */
export function shapeForUpdate(
  resource: ResourceDefinition,
  proposed: ApiObject,
  old: ApiObject,
  subresource: string,
): ApiObject {
  const { apiVersion, kind } = proposed
  if (subresource === 'status') {
    const { metadata: oldMetadata, status: _oldStatus, ...oldRest } = old
    const mutable = resource.custom
      ? { ...oldMetadata, ...managedFieldsOf(proposed.metadata) }
      : metadataForUpdate(proposed.metadata, oldMetadata)
    return {
      ...oldRest,
      apiVersion,
      kind,
      metadata: mutable,
      ...(proposed.status !== undefined ? { status: proposed.status } : {}),
    }
  }
  const { metadata, status, ...rest } = proposed
  const shaped = { ...rest, apiVersion, kind, metadata: metadataForUpdate(metadata, old.metadata) }
  const kept = hasSubresource(resource, 'status') ? old.status : status
  return kept === undefined ? shaped : { ...shaped, status: kept }
}

const managedFieldsOf = (metadata: ObjectMeta) =>
  metadata.managedFields ? { managedFields: metadata.managedFields } : {}

/**
 * metadata.generation counts changes of everything but metadata and (where it is a subresource) status. Counted once
 * defaults are filled in: a patch that takes a default away and gets it back has changed nothing.
 */
export function withGeneration(resource: ResourceDefinition, next: ApiObject, old: ApiObject): ApiObject {
  const generation = old.metadata.generation
  if (!resource.tracksGeneration) return next
  const changed = !isDeepStrictEqual(desired(resource, next), desired(resource, old))
  return { ...next, metadata: { ...next.metadata, generation: (generation ?? (changed ? 0 : 1)) + (changed ? 1 : 0) } }
}

function desired(resource: ResourceDefinition, object: ApiObject): unknown {
  const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, status, ...rest } = object
  return hasSubresource(resource, 'status') ? rest : { ...rest, status }
}

/** Whether a write would change nothing but its own bookkeeping: such a write keeps the resourceVersion. */
export function isSameObject(next: ApiObject, old: ApiObject): boolean {
  return isDeepStrictEqual(comparable(next), comparable(old))
}

/** Times of managed fields alone are no change. */
function comparable(object: ApiObject): unknown {
  const { resourceVersion: _version, managedFields, ...metadata } = object.metadata
  const owners = managedFields?.map(({ time: _time, ...entry }) => entry)
  return { ...object, metadata: { ...metadata, ...(owners ? { managedFields: owners } : {}) } }
}
