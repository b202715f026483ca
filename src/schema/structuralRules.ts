import { compileCheck } from './check.ts'
import { type FieldError, forbidden, invalid, notSupported, required } from './fieldError.ts'
import { isJsonObject, type JSONSchemaProps } from './jsonSchemaProps.ts'
import { compilePattern } from './pattern.ts'
import { compilePrune } from './prune.ts'

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/**
 * Why a CRD's schema is not structural (Kubernetes documentation, "Specifying a structural schema", "Field pruning",
 * "Defaulting"). `path` is where the schema stands in the definition.
 */
export function structuralErrors(schema: JSONSchemaProps, path: string): readonly FieldError[] {
  const root = schema.type === undefined ? [required(`${path}.type`, 'must not be empty at the root')] : []
  const wrong = schema.type !== undefined && schema.type !== 'object'
  return [
    ...root,
    ...(wrong ? [invalid(`${path}.type`, schema.type, 'must be object at the root')] : []),
    ...schemaErrors(schema, path),
  ]
}

function schemaErrors(schema: JSONSchemaProps, path: string): readonly FieldError[] {
  return [
    ...typeErrors(schema, path),
    ...combinationErrors(schema, path),
    ...listErrors(schema, path),
    ...patternErrors(schema, path),
    ...defaultErrors(schema, path),
    ...memberSchemas(schema, path).flatMap(({ schema: member, path: place, what }) => [
      ...(needsType(member) ? [required(`${place}.type`, `must not be empty for specified ${what}`)] : []),
      ...schemaErrors(member, place),
    ]),
    ...combined(schema, path).flatMap(({ schema: part, path: place }) => valueOnlyErrors(part, place)),
  ]
}

const needsType = (schema: JSONSchemaProps): boolean =>
  (schema.type ?? '') === '' &&
  schema['x-kubernetes-int-or-string'] !== true &&
  schema['x-kubernetes-preserve-unknown-fields'] !== true

interface Place {
  readonly schema: JSONSchemaProps
  readonly path: string
}

function memberSchemas(schema: JSONSchemaProps, path: string): readonly (Place & { readonly what: string })[] {
  const { properties = {}, additionalProperties, items } = schema
  return [
    ...Object.entries(properties).map(([name, member]) => ({
      schema: member,
      path: `${path}.properties[${name}]`,
      what: 'object fields',
    })),
    ...(typeof additionalProperties === 'object'
      ? [{ schema: additionalProperties, path: `${path}.additionalProperties`, what: 'object fields' }]
      : []),
    ...(items ? [{ schema: items, path: `${path}.items`, what: 'array items' }] : []),
  ]
}

function combined({ allOf = [], anyOf = [], oneOf = [], not }: JSONSchemaProps, path: string): readonly Place[] {
  const each = (list: readonly JSONSchemaProps[], name: string) =>
    list.map((schema, index) => ({ schema, path: `${path}.${name}[${index}]` }))
  return [
    ...each(allOf, 'allOf'),
    ...each(anyOf, 'anyOf'),
    ...each(oneOf, 'oneOf'),
    ...(not ? [{ schema: not, path: `${path}.not` }] : []),
  ]
}

/** Within allOf, anyOf, oneOf and not stand conditions on values only; what a field is, the schema around them says. */
function valueOnlyErrors(schema: JSONSchemaProps, path: string): readonly FieldError[] {
  const structural = ['additionalProperties', 'default', 'nullable', 'description', 'title'] as const
  const stated = structural.filter((name) => schema[name] !== undefined && schema[name] !== false)
  return [
    ...stated.map((name) => forbidden(`${path}.${name}`, 'must be empty to be structural')),
    ...patternErrors(schema, path),
    ...memberSchemas(schema, path).flatMap((member) => valueOnlyErrors(member.schema, member.path)),
    ...combined(schema, path).flatMap((part) => valueOnlyErrors(part.schema, part.path)),
  ]
}

function typeErrors({ type = '' }: JSONSchemaProps, path: string): readonly FieldError[] {
  return type === '' || types.includes(type) ? [] : [notSupported(`${path}.type`, type, types)]
}

function combinationErrors(schema: JSONSchemaProps, path: string): readonly FieldError[] {
  const { properties = {}, additionalProperties = false, type = '' } = schema
  const free = additionalProperties !== false
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  return [
    ...(free && Object.keys(properties).length > 0
      ? [forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')]
      : []),
    ...(preserves && type !== '' && type !== 'object' && type !== 'array'
      ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, 'must be false for scalar types')]
      : []),
    ...(embedded && !preserves && Object.keys(properties).length === 0
      ? [
          required(
            `${path}.properties`,
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ]
}

function listErrors(schema: JSONSchemaProps, path: string): readonly FieldError[] {
  const { type, items, uniqueItems } = schema
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const named = items?.properties ?? {}
  return [
    ...(type === 'array' && !items ? [required(`${path}.items`, 'must be specified')] : []),
    ...(uniqueItems
      ? [
          forbidden(
            `${path}.uniqueItems`,
            'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...(isMap && keys.length === 0
      ? [required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')]
      : []),
    ...keys
      .filter((key) => isMap && !Object.hasOwn(named, key))
      .map((key) => invalid(`${path}.x-kubernetes-list-map-keys`, key, 'must be a property of the items')),
  ]
}

function patternErrors({ pattern }: JSONSchemaProps, path: string): readonly FieldError[] {
  if (pattern === undefined) return []
  try {
    compilePattern(pattern)
    return []
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return [
      invalid(`${path}.pattern`, pattern, "must be a valid regular expression, but isn't: ".concat(cause.message)),
    ]
  }
}

/** A default must be a value that the schema itself would take. */
function defaultErrors(schema: JSONSchemaProps, path: string): readonly FieldError[] {
  const value = schema.default
  if (value === undefined || patternErrors(schema, path).length > 0) return []
  const unknown: string[] = []
  if (isJsonObject(value)) compilePrune(schema)(value, '', (place) => unknown.push(place))
  const errors: FieldError[] = []
  compileCheck(schema)(value, undefined, `${path}.default`, errors)
  return [
    ...unknown.map((place) => invalid(`${path}.default.${place}`, value, 'must not be an unknown field')),
    ...errors,
  ]
}
