import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import type { OpenApiSchema } from '../server/resource.ts'
import { badRequest } from '../server/statusError.ts'
import { inElementOrder, sameElement } from './elementOrder.ts'
import { ownMember, setOwn } from './mergePatch.ts'

/**
 * Strategic merge patch (public docs, "Update API Objects in Place Using kubectl patch", and the API conventions'
 * "Strategic Merge Patch"): like a merge patch, but lists that the schema marks `merge` are merged, objects by their
 * merge key and scalars by value. Directives: `$patch: replace|delete|merge`, `$retainKeys`,
 * `$deleteFromPrimitiveList/FIELD`, `$setElementOrder/FIELD`.
 */
export function applyStrategicMerge(
  target: JsonObject,
  patch: JsonObject,
  schema: OpenApiSchema | undefined,
): JsonObject {
  return mergeMap(target, patch, schema)
}

const deleteFrom = '$deleteFromPrimitiveList/'
const elementOrder = '$setElementOrder/'
const directives = ['$patch', '$retainKeys']
const isDirective = (name: string): boolean =>
  directives.includes(name) || name.startsWith(deleteFrom) || name.startsWith(elementOrder)

function mergeMap(target: JsonObject, patch: JsonObject, schema: OpenApiSchema | undefined): JsonObject {
  switch (patch.$patch) {
    case undefined:
    case 'merge':
      break
    case 'replace':
      return withoutDirectives(patch)
    case 'delete':
      return {}
    default:
      throw badRequest(`unknown patch type found: ${JSON.stringify(patch.$patch)}; expected replace, delete or merge`)
  }
  const result: Record<string, unknown> = retained(target, patch)
  for (const field of patchedFields(patch)) {
    const merged = mergeField(ownMember(result, field), field, patch, memberSchema(schema, field))
    if (merged === undefined) delete result[field]
    else setOwn(result, field, merged)
  }
  return result
}

/** Fields that the patch says something about, also those that only a directive names. */
function patchedFields(patch: JsonObject): readonly string[] {
  const fields = Object.keys(patch).map((name) => {
    if (name.startsWith(deleteFrom)) return name.slice(deleteFrom.length)
    if (name.startsWith(elementOrder)) return name.slice(elementOrder.length)
    return name
  })
  return [...new Set(fields)].filter((name) => !directives.includes(name))
}

/** `$retainKeys` lists all fields that may stay: choosing one member of a union clears the others. */
function retained(target: JsonObject, patch: JsonObject): Record<string, unknown> {
  const keys = patch.$retainKeys
  if (keys === undefined) return { ...target }
  if (!Array.isArray(keys)) throw badRequest('$retainKeys is not a list of field names')
  const extra = Object.keys(patch).find((name) => !isDirective(name) && patch[name] !== null && !keys.includes(name))
  if (extra !== undefined) throw badRequest(`$retainKeys does not list ${extra}, which the patch sets`)
  return Object.fromEntries(Object.entries(target).filter(([name]) => keys.includes(name)))
}

function mergeField(current: unknown, field: string, patch: JsonObject, schema: OpenApiSchema | undefined): unknown {
  const value = ownMember(patch, field)
  const order = patch[`${elementOrder}${field}`]
  const deleted = patch[`${deleteFrom}${field}`]
  if (field in patch && value === null) return undefined
  if (order === undefined && deleted === undefined) return mergeValue(current, value, schema)
  const mergeKey = schema?.['x-kubernetes-patch-merge-key']
  const before: readonly unknown[] = Array.isArray(current) ? current : []
  const kept = Array.isArray(deleted)
    ? before.filter((item) => !deleted.some((each: unknown) => each === item))
    : before
  const merged = value === undefined ? kept : mergeValue(kept, value, schema)
  if (!Array.isArray(merged)) return merged
  const ordered = Array.isArray(order) ? inElementOrder(merged, order, before, mergeKey) : merged
  return current === undefined && ordered.length === 0 ? undefined : ordered
}

function mergeValue(current: unknown, value: unknown, schema: OpenApiSchema | undefined): unknown {
  const strategies = (schema?.['x-kubernetes-patch-strategy'] ?? '').split(',')
  if (isObject(value)) {
    const replaces = strategies.includes('replace') || !isObject(current)
    return replaces ? withoutNulls(withoutDirectives(value)) : mergeMap(current, value, schema)
  }
  if (!Array.isArray(value)) return value
  if (!strategies.includes('merge')) return value.map(cleanItem)
  return mergeList(Array.isArray(current) ? current : [], value, schema)
}

function mergeList(
  current: readonly unknown[],
  patch: readonly unknown[],
  schema: OpenApiSchema | undefined,
): readonly unknown[] {
  const mergeKey = schema?.['x-kubernetes-patch-merge-key']
  if (!patch.some(isObject)) {
    return [...current, ...patch.filter((item, index) => !current.includes(item) && patch.indexOf(item) === index)]
  }
  const items = patch.map((item) => requireObject(item))
  if (items.some((item) => item.$patch === 'replace')) {
    return items.filter((item) => item.$patch === undefined).map(withoutDirectives)
  }
  if (mergeKey === undefined) throw badRequest('the list has no merge key in its schema, so its items cannot be merged')
  return items.reduce<readonly unknown[]>((list, item) => mergeItem(list, item, mergeKey, schema?.items), current)
}

function requireObject(item: unknown): JsonObject {
  if (!isObject(item)) throw badRequest('a list in the patch mixes objects with other values')
  return item
}

function mergeItem(
  list: readonly unknown[],
  item: JsonObject,
  mergeKey: string,
  schema: OpenApiSchema | undefined,
): readonly unknown[] {
  const key = item[mergeKey]
  if (key === undefined) throw badRequest(`an item of the patch does not contain declared merge key: ${mergeKey}`)
  if (item.$patch === 'delete') return list.filter((each) => !sameElement(each, item, mergeKey))
  const index = list.findIndex((each) => sameElement(each, item, mergeKey))
  const found = list[index]
  if (!isObject(found)) return [...list, withoutNulls(withoutDirectives(item))]
  const merged = mergeMap(found, item, schema)
  return list.map((each, position) => (position === index ? merged : each))
}

function memberSchema(schema: OpenApiSchema | undefined, name: string): OpenApiSchema | undefined {
  const property = schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  if (property) return property
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** What is new is taken as it is, less the instructions in it. */
function withoutDirectives(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isDirective(name))
      .map(([name, member]) => [name, cleanItem(member)]),
  )
}

function cleanItem(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isObject(item) || item.$patch !== 'delete').map(cleanItem)
  return isObject(value) ? withoutDirectives(value) : value
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, isObject(member) ? withoutNulls(member) : member]),
  )
}
