import type { OpenApiSchema } from '../server/resource.ts'

/**
 * Builders for the schemas of built-in kinds. A schema made by `define` is a plain structural schema with everything
 * inlined; its published name is kept beside it, so that OpenAPI documents can refer to it instead of repeating it.
 */
export interface DefinitionOptions {
  readonly required?: readonly string[]
  /** Published as required, but a writer may leave them out: they are zero or empty then. */
  readonly zeroed?: readonly string[]
  /** Fields that are not modelled are kept and not reported as unknown. */
  readonly open?: boolean
  /** The whole object has one owner in server-side apply and is replaced as one. */
  readonly atomic?: boolean
  readonly kinds?: readonly GroupVersionKind[]
}

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export type Properties = Readonly<Record<string, OpenApiSchema>>

const names = new WeakMap<OpenApiSchema, string>()
const originals = new WeakMap<OpenApiSchema, OpenApiSchema>()
const zeroedFields = new WeakMap<OpenApiSchema, readonly string[]>()

/** The published name of a schema (`io.k8s.api.core.v1.PodSpec`), absent when it is to be inlined. */
export const definitionNameOf = (schema: OpenApiSchema): string | undefined => names.get(schema)

/** The schema as it was defined: a use of it may carry a description of its own. */
export const definitionOf = (schema: OpenApiSchema): OpenApiSchema => originals.get(schema) ?? schema

/** Fields that the server always shows, whether anybody wrote them or not. */
export const zeroedOf = (schema: OpenApiSchema): readonly string[] => zeroedFields.get(definitionOf(schema)) ?? []

export function define(
  name: string,
  description: string,
  properties: Properties,
  { required, zeroed, open, atomic, kinds }: DefinitionOptions = {},
): OpenApiSchema {
  const schema = named(name, {
    type: 'object',
    description,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required ? { required } : {}),
    ...(open ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
    ...(kinds ? { 'x-kubernetes-group-version-kind': kinds } : {}),
  })
  if (zeroed) zeroedFields.set(schema, zeroed)
  return schema
}

/** Gives any schema a published name. */
export function named(name: string, schema: OpenApiSchema): OpenApiSchema {
  names.set(schema, name)
  return schema
}

/** A use of a defined schema under a field of its own description (and default, where the server sets one). */
export function ref(definition: OpenApiSchema, description: string, extra: OpenApiSchema = {}): OpenApiSchema {
  const use = { ...definition, description, ...extra }
  const name = names.get(definition)
  if (name !== undefined) {
    names.set(use, name)
    originals.set(use, definitionOf(definition))
  }
  return use
}

export const str = (description: string, extra: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'string',
  description,
  ...extra,
})
export const bool = (description: string, extra: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'boolean',
  description,
  ...extra,
})
export const int32 = (description: string, extra: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'integer',
  format: 'int32',
  description,
  ...extra,
})
export const int64 = (description: string, extra: OpenApiSchema = {}): OpenApiSchema => ({
  type: 'integer',
  format: 'int64',
  description,
  ...extra,
})
export const bytes = (description: string): OpenApiSchema => ({ type: 'string', format: 'byte', description })

/** Any JSON value, kept as it is. */
export const json = (description: string): OpenApiSchema => ({
  description,
  'x-kubernetes-preserve-unknown-fields': true,
})

export const stringMap = (description: string): OpenApiSchema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
})
export const mapOf = (value: OpenApiSchema, description: string): OpenApiSchema => ({
  type: 'object',
  description,
  additionalProperties: value,
})

/** A list that is replaced as one. */
export const list = (items: OpenApiSchema, description: string): OpenApiSchema => ({
  type: 'array',
  description,
  items,
  'x-kubernetes-list-type': 'atomic',
})
export const strings = (description: string): OpenApiSchema => list({ type: 'string' }, description)

/** A list of distinct scalars that is merged by value. */
export const set = (description: string, items: OpenApiSchema = { type: 'string' }): OpenApiSchema => ({
  type: 'array',
  description,
  items,
  'x-kubernetes-list-type': 'set',
  'x-kubernetes-patch-strategy': 'merge',
})

/**
 * A list of objects that is merged by `keys`. Strategic merge knows one key only: the first, unless `patchKey` says
 * otherwise; `strategy` is `merge,retainKeys` for unions such as volumes.
 */
export const listMap = (
  items: OpenApiSchema,
  keys: readonly string[],
  description: string,
  { patchKey = keys[0] ?? 'name', strategy = 'merge' }: { patchKey?: string; strategy?: string } = {},
): OpenApiSchema => ({
  type: 'array',
  description,
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  'x-kubernetes-patch-strategy': strategy,
  'x-kubernetes-patch-merge-key': patchKey,
})
