import { isJsonObject, type JSONSchemaProps, type JsonObject } from './jsonSchemaProps.ts'

/** A JSON value as CEL sees it: integers as BigInt, times as Date, bytes as Uint8Array, members under escaped names. */
export type ToCel = (value: unknown) => unknown

/**
 * Compiles the conversion of a schema's values to CEL's types (Kubernetes documentation, "Type rules" and "Field path
 * escaping"). Members without a schema are invisible to rules, so they are left out.
 */
export function compileToCel(schema: JSONSchemaProps, { isRoot = false }: { isRoot?: boolean } = {}): ToCel {
  if (schema['x-kubernetes-int-or-string']) return integerToCel
  switch (schema.type) {
    case 'integer':
      return integerToCel
    case 'string':
      return stringToCel(schema.format)
    case 'array': {
      const item = schema.items ? compileToCel(schema.items) : same
      return (value) => (Array.isArray(value) ? value.map(item) : value)
    }
    case 'object':
      return objectToCel(schema, isRoot)
    default:
      return same
  }
}

const same: ToCel = (value) => value

const integerToCel: ToCel = (value) => (typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value)

function stringToCel(format: string | undefined): ToCel {
  if (format === 'date-time') return (value) => (typeof value === 'string' ? new Date(value) : value)
  if (format === 'byte') return (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value)
  return same
}

function objectToCel(schema: JSONSchemaProps, isRoot: boolean): ToCel {
  const members = new Map(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [
      name,
      { name: escapeName(name), convert: compileToCel(member) },
    ]),
  )
  if (isRoot || schema['x-kubernetes-embedded-resource']) {
    members.set('apiVersion', { name: 'apiVersion', convert: same })
    members.set('kind', { name: 'kind', convert: same })
    members.set('metadata', { name: 'metadata', convert: metadataToCel })
  }
  const additional =
    typeof schema.additionalProperties === 'object' ? compileToCel(schema.additionalProperties) : undefined
  return (value) => {
    if (!isJsonObject(value)) return value
    const entries: [string, unknown][] = []
    for (const [key, inner] of Object.entries(value)) {
      const member = members.get(key)
      if (member) entries.push([member.name, member.convert(inner)])
      else if (additional) entries.push([key, additional(inner)])
    }
    return Object.fromEntries(entries)
  }
}

/** Rules see only the names of an object's metadata. */
const metadataToCel: ToCel = (value) => {
  const { name, generateName }: JsonObject = isJsonObject(value) ? value : {}
  return { ...(name === undefined ? {} : { name }), ...(generateName === undefined ? {} : { generateName }) }
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

function escapeName(name: string): string {
  if (reserved.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}
