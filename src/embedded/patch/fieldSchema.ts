import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import { ObjectMeta } from '../builtins/metaSchemas.ts'
import type { OpenApiSchema, ResourceDefinition } from '../server/resource.ts'
import { keyElement, type PathElement, valueElement } from './pathElement.ts'

/**
 * How the schema divides a value into owned parts (public docs, "Server-Side Apply", "Merge strategy"): maps by entry,
 * list maps by key, sets by value; everything else is one part. Where the schema is silent, maps are divided and lists
 * are not.
 */
export type Division =
  | { readonly kind: 'leaf' }
  | { readonly kind: 'map' }
  | { readonly kind: 'items'; readonly elementOf: (item: unknown) => PathElement | undefined }

/** A value that may be absent: `undefined` is absence, `null` is a value. */
export function divide(schema: OpenApiSchema | undefined, values: readonly unknown[]): Division {
  const present = values.filter((value) => value !== undefined && value !== null)
  if (present.length === 0) return { kind: 'leaf' }
  if (present.every(isObject))
    return schema?.['x-kubernetes-map-type'] === 'atomic' ? { kind: 'leaf' } : { kind: 'map' }
  if (!present.every(Array.isArray)) return { kind: 'leaf' }
  switch (schema?.['x-kubernetes-list-type']) {
    case 'map':
      return { kind: 'items', elementOf: (item) => itemElement(item, schema) }
    case 'set':
      return { kind: 'items', elementOf: (item) => (isObject(item) ? undefined : valueElement(item)) }
    default:
      return { kind: 'leaf' }
  }
}

/** Keys that an item leaves out count with their default (`protocol: TCP`); without one the item has no address. */
function itemElement(item: unknown, schema: OpenApiSchema): PathElement | undefined {
  if (!isObject(item)) return undefined
  const keys: Record<string, unknown> = {}
  for (const name of schema['x-kubernetes-list-map-keys'] ?? []) {
    const value = item[name] ?? schema.items?.properties?.[name]?.default
    if (value === undefined || typeof value === 'object') return undefined
    keys[name] = value
  }
  return keyElement(keys)
}

/** The schema of an entry, and whether the schema names it (as opposed to a key of a free map). */
export function entrySchema(
  schema: OpenApiSchema | undefined,
  name: string,
): { readonly schema: OpenApiSchema | undefined; readonly declared: boolean } {
  const property = schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
  if (property) return { schema: property, declared: true }
  const additional = schema?.additionalProperties
  return { schema: typeof additional === 'object' ? additional : undefined, declared: false }
}

/** Whether an object of this schema may have an entry that the schema does not name. */
export function allowsUnknown(schema: OpenApiSchema | undefined): boolean {
  if (schema === undefined || schema['x-kubernetes-preserve-unknown-fields'] === true) return true
  if (schema['x-kubernetes-embedded-resource'] === true) return true
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return true
  return schema.properties === undefined && schema.type !== 'object'
}

const common: Readonly<Record<string, OpenApiSchema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: ObjectMeta,
}
const rootSchemas = new WeakMap<ResourceDefinition, OpenApiSchema>()

/** The schema of a whole object: schemas of custom resources say nothing about metadata. */
export function rootSchema(resource: ResourceDefinition): OpenApiSchema {
  const known = rootSchemas.get(resource)
  if (known) return known
  const { schema } = resource
  const root: OpenApiSchema =
    schema === undefined
      ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: common }
      : { ...schema, properties: { ...schema.properties, ...common } }
  rootSchemas.set(resource, root)
  return root
}

/** Entries of either object, each once. */
export function entryNames(a: JsonObject | undefined, b: JsonObject | undefined): readonly string[] {
  const names = Object.keys(a ?? b ?? {})
  if (!a || !b) return names
  return [...names, ...Object.keys(b).filter((name) => !Object.hasOwn(a, name))]
}
