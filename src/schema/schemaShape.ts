import { type FieldError, typeInvalid } from './fieldError.ts'
import { isJsonObject } from './jsonSchemaProps.ts'

/** What each keyword of a schema must be; everything else about it is asked only when it is. */
type Shape =
  | 'boolean'
  | 'number'
  | 'string'
  | 'strings'
  | 'list'
  | 'rules'
  | 'schema'
  | 'schemaOrBoolean'
  | 'schemas'
  | 'schemaMap'

const shapes: Readonly<Record<string, Shape>> = {
  additionalProperties: 'schemaOrBoolean',
  allOf: 'schemas',
  anyOf: 'schemas',
  description: 'string',
  enum: 'list',
  exclusiveMaximum: 'boolean',
  exclusiveMinimum: 'boolean',
  format: 'string',
  items: 'schema',
  maximum: 'number',
  maxItems: 'number',
  maxLength: 'number',
  maxProperties: 'number',
  minimum: 'number',
  minItems: 'number',
  minLength: 'number',
  minProperties: 'number',
  multipleOf: 'number',
  not: 'schema',
  nullable: 'boolean',
  oneOf: 'schemas',
  pattern: 'string',
  properties: 'schemaMap',
  required: 'strings',
  title: 'string',
  type: 'string',
  uniqueItems: 'boolean',
  'x-kubernetes-embedded-resource': 'boolean',
  'x-kubernetes-int-or-string': 'boolean',
  'x-kubernetes-list-map-keys': 'strings',
  'x-kubernetes-list-type': 'string',
  'x-kubernetes-map-type': 'string',
  'x-kubernetes-preserve-unknown-fields': 'boolean',
  'x-kubernetes-validations': 'rules',
}

/** Keywords of the wrong type, as decoding into JSONSchemaProps would find them. Without any, the value is a schema. */
export function schemaShapeErrors(value: unknown, path: string): readonly FieldError[] {
  if (!isJsonObject(value)) return [wrong(value, path, 'object')]
  return Object.entries(shapes).flatMap(([name, shape]) =>
    Object.hasOwn(value, name) ? shapeErrors(value[name], shape, `${path}.${name}`) : [],
  )
}

function shapeErrors(value: unknown, shape: Shape, path: string): readonly FieldError[] {
  switch (shape) {
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === shape ? [] : [wrong(value, path, shape)]
    case 'schema':
      return schemaShapeErrors(value, path)
    case 'schemaOrBoolean':
      return typeof value === 'boolean' ? [] : schemaShapeErrors(value, path)
    case 'list':
      return eachItem(value, path, () => [])
    case 'strings':
      return eachItem(value, path, (item, place) => shapeErrors(item, 'string', place))
    case 'schemas':
      return eachItem(value, path, schemaShapeErrors)
    case 'rules':
      return eachItem(value, path, (item, place) =>
        isJsonObject(item) ? shapeErrors(item.rule, 'string', `${place}.rule`) : [wrong(item, place, 'object')],
      )
    case 'schemaMap':
      return isJsonObject(value)
        ? Object.entries(value).flatMap(([name, member]) => schemaShapeErrors(member, `${path}[${name}]`))
        : [wrong(value, path, 'object')]
    default:
      return shape satisfies never
  }
}

function eachItem(
  value: unknown,
  path: string,
  check: (item: unknown, place: string) => readonly FieldError[],
): readonly FieldError[] {
  if (!Array.isArray(value)) return [wrong(value, path, 'array')]
  return value.flatMap((item: unknown, index) => check(item, `${path}[${index}]`))
}

function wrong(value: unknown, path: string, expected: string): FieldError {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return typeInvalid(path, found, `${path} in body must be of type ${expected}: "${found}"`)
}
