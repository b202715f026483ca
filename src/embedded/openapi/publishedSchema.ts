import { definitionNameOf, definitionOf, zeroedOf } from '../builtins/schemaBuilder.ts'
import type { OpenApiSchema } from '../server/resource.ts'

/** A schema as a document shows it. */
export type Published = Readonly<Record<string, unknown>>
export type Dialect = 'v2' | 'v3'

/** Collects what is referred to, so that a document holds exactly the definitions it needs. */
export interface Publisher {
  readonly dialect: Dialect
  readonly definitions: Map<string, Published>
  /** Custom resources lose what Swagger 2.0 cannot say, instead of saying something else. */
  readonly custom: boolean
}

const prefix: Readonly<Record<Dialect, string>> = { v2: '#/definitions/', v3: '#/components/schemas/' }
export const refTo = (dialect: Dialect, name: string): string => `${prefix[dialect]}${name}`

/**
 * The document form of a structural schema: named schemas become references, and each dialect gets the keywords that it
 * knows. OpenAPI 3.0 ignores what stands beside `$ref`, so a use with a description of its own wraps it in `allOf`.
 */
export function publish(schema: OpenApiSchema, publisher: Publisher): Published {
  const name = definitionNameOf(schema)
  if (name === undefined) return publishInline(schema, publisher)
  const definition = definitionOf(schema)
  publishDefinition(name, definition, publisher)
  const $ref = refTo(publisher.dialect, name)
  const own = ownKeywords(schema, definition)
  if (Object.keys(own).length === 0) return { $ref }
  return publisher.dialect === 'v2' ? { ...own, $ref } : { ...own, allOf: [{ $ref }] }
}

export function publishDefinition(name: string, schema: OpenApiSchema, publisher: Publisher): void {
  if (publisher.definitions.has(name)) return
  // Entered before its parts: a definition that refers to itself ends here.
  publisher.definitions.set(name, {})
  const special = specialDefinitions[name]
  const text = schema.description === undefined ? {} : { description: schema.description }
  publisher.definitions.set(
    name,
    special
      ? { ...text, ...special(publisher.dialect) }
      : { ...publishInline(schema, publisher), ...requiredOf(schema) },
  )
}

function requiredOf(schema: OpenApiSchema): Published {
  const required = [...(schema.required ?? []), ...zeroedOf(schema)]
  return required.length > 0 ? { required } : {}
}

/** Values that are not what a structural schema can say about them. */
const specialDefinitions: Readonly<Record<string, (dialect: Dialect) => Published>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': (dialect) =>
    dialect === 'v2'
      ? { type: 'string', format: 'int-or-string' }
      : { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': (dialect) =>
    dialect === 'v2' ? { type: 'string' } : { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': () => ({ type: 'string', format: 'date-time' }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': () => ({ type: 'string', format: 'date-time' }),
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': () => ({ type: 'object' }),
}

/** What a use says beyond the definition: its description, its default, how patches merge it. */
function ownKeywords(use: OpenApiSchema, definition: OpenApiSchema): Published {
  if (use === definition) return {}
  return Object.fromEntries(
    Object.entries(use).filter(
      ([keyword, value]) =>
        keyword === 'description' ||
        (definition[keyword] !== value && (keyword === 'default' || keyword.startsWith('x-kubernetes-patch-'))),
    ),
  )
}

const listKeywords = ['allOf', 'anyOf', 'oneOf']
const notInV2 = new Set(['anyOf', 'oneOf', 'not', 'nullable', 'x-kubernetes-validations'])

function publishInline(schema: OpenApiSchema, publisher: Publisher): Published {
  const { dialect, custom } = publisher
  const shown = dialect === 'v2' && custom ? expressibleInV2(schema) : schema
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(shown)) {
    if (value === undefined || (dialect === 'v2' && notInV2.has(keyword))) continue
    result[keyword] = publishKeyword(keyword, value, publisher)
  }
  return result
}

function publishKeyword(keyword: string, value: unknown, publisher: Publisher): unknown {
  if (keyword === 'properties') {
    return Object.fromEntries(
      Object.entries(value as Readonly<Record<string, OpenApiSchema>>).map(([name, property]) => [
        name,
        publish(property, publisher),
      ]),
    )
  }
  if (isSchema(value) && (keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not')) {
    return publish(value, publisher)
  }
  if (listKeywords.includes(keyword) && Array.isArray(value)) {
    return value.map((each: unknown) => (isSchema(each) ? publish(each, publisher) : each))
  }
  return value
}

const isSchema = (value: unknown): value is OpenApiSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Old clients refuse objects by this document: where Swagger 2.0 has no word for "or null", "number or string" or "and
 * anything else", it must say nothing (public docs, "Publish Validation Schema in OpenAPI").
 */
function expressibleInV2(schema: OpenApiSchema): OpenApiSchema {
  const open =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema.nullable === true
  if (!open) return schema
  const { type, format, properties, items, additionalProperties, required, enum: values, ...rest } = schema
  const keepsType = schema['x-kubernetes-preserve-unknown-fields'] === true && schema.nullable !== true
  return keepsType && type === 'object' ? { type, ...rest } : rest
}
