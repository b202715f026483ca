import type { ObjectPath } from '../store/objectPath.ts'
import type { ServerContext } from './context.ts'
import { collectionOf } from './registry.ts'
import type { ResourceDefinition } from './resource.ts'

/** One object, or one name that may become one. */
export interface Target {
  readonly resource: ResourceDefinition
  readonly namespace: string
  readonly name: string
}

export function pathOf({ resource, namespace, name }: Target): ObjectPath {
  return { collection: collectionOf(resource), namespace, name }
}

/** The definition that owns the storage of a resource: itself, or the stored version of its kind. */
export function storageOf(
  { registry }: Pick<ServerContext, 'registry'>,
  resource: ResourceDefinition,
): ResourceDefinition {
  return registry.stored(collectionOf(resource)) ?? resource
}
