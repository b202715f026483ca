import type { OpenApiSchema, ResourceDefinition, StorageHooks } from '../server/resource.ts'
import { fill, isObject, type JsonObject } from './jsonObject.ts'
import { zeroedOf } from './schemaBuilder.ts'

/**
 * The API server shows a status even before anybody has reported one, with zero for counts that are always present.
 * Manifests made by `kubectl create --dry-run` carry such an empty status: without it every apply would find a
 * difference.
 */
export function withEmptyStatus(resource: ResourceDefinition): ResourceDefinition {
  const status = resource.schema?.properties?.status
  if (!status || !resource.subresources?.some(({ name }) => name === 'status')) return resource
  const empty = emptyStatus(status)
  const { hooks = {} } = resource
  const complete: StorageHooks = {
    ...hooks,
    prepareForCreate: (object, context) => {
      const prepared = hooks.prepareForCreate?.(object, context) ?? object
      const known = isObject(prepared.status) ? prepared.status : {}
      return { ...prepared, status: fill(known, empty) }
    },
  }
  return { ...resource, hooks: complete }
}

function emptyStatus(schema: OpenApiSchema): JsonObject {
  const counts = zeroedOf(schema).filter((name) => schema.properties?.[name]?.type === 'integer')
  return Object.fromEntries(counts.map((name) => [name, 0]))
}
