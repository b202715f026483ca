import { parse } from 'yaml'
import { isJsonObject, type JsonObject } from '../../src/schema/jsonSchemaProps.ts'

/** A schema as it is written in src/api/crds: plain OpenAPI, `$ref` to a shared shape, and `x-type-*` hints for TypeScript. */
export type SourceSchema = JsonObject

/** Parses one file; anchors and merge keys are resolved. */
export function parseSource(text: string): JsonObject {
  const value: unknown = parse(text, { merge: true, maxAliasCount: 1000 })
  if (!isJsonObject(value)) throw new Error('expected a YAML mapping at the top of the file')
  return value
}

/** The shape that a `$ref` names, overlaid with the members beside the `$ref`. */
export function resolveReference(schema: SourceSchema, shared: JsonObject): SourceSchema {
  const { $ref: name, ...own } = schema
  if (typeof name !== 'string') return schema
  const shape = shared[name]
  if (!isJsonObject(shape)) throw new Error(`$ref: ${name} is not defined in shared.yaml`)
  return { ...resolveReference(shape, shared), ...own }
}

/** The document as an API server takes it: references expanded, hints removed. */
export function expandDocument(value: unknown, shared: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => expandDocument(item, shared))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(resolveReference(value, shared))
      .filter(([name]) => !name.startsWith('x-type-'))
      .map(([name, member]) => [name, expandDocument(member, shared)]),
  )
}
