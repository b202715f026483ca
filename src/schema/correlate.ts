import { deepEqual } from './deepEqual.ts'
import { isJsonObject, type JSONSchemaProps } from './jsonSchemaProps.ts'

/**
 * The stored counterpart of a list item: only lists of type `map` have one, found by their keys (Kubernetes documentation,
 * "Transition rules"). Undefined stands for "none", as in all of this folder: JSON has no undefined.
 */
export function correlateItem(schema: JSONSchemaProps, item: unknown, oldList: unknown): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(oldList) || !isJsonObject(item)) return undefined
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  return oldList.find((old) => isJsonObject(old) && keys.every((key) => deepEqual(old[key], item[key])))
}

/** The stored counterpart of a member. */
export function correlateMember(name: string, oldObject: unknown): unknown {
  return isJsonObject(oldObject) && Object.hasOwn(oldObject, name) ? oldObject[name] : undefined
}
