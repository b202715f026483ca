import * as client from '@kubernetes/client-node'
import { describe, expect, it } from 'vitest'
import type { OpenApiSchema } from '../server/resource.ts'
import { builtinResources } from './resources.ts'
import { definitionNameOf, zeroedOf } from './schemaBuilder.ts'

/** The official client's view of the same kinds: an independent source of field names and types. */
interface Attribute {
  readonly baseName: string
  readonly type: string
}
interface Model {
  readonly attributeTypeMap: readonly Attribute[]
}
const models = client as unknown as Readonly<Record<string, Model | undefined>>

const modelOf = (name: string): Model | undefined => {
  const short = name.slice(name.lastIndexOf('.') + 1)
  const group = name.includes('.core.') ? 'Core' : name.includes('.events.') ? 'Events' : 'Rbac'
  return [`V1${short}`, `${group}V1${short}`].map((each) => models[each]).find((each) => each?.attributeTypeMap)
}

const definitions = new Map<string, OpenApiSchema>()
function collect(schema: OpenApiSchema): void {
  const name = definitionNameOf(schema)
  if (name !== undefined) {
    if (definitions.has(name)) return
    definitions.set(name, schema)
  }
  for (const property of Object.values(schema.properties ?? {})) collect(property)
  if (schema.items) collect(schema.items)
  if (typeof schema.additionalProperties === 'object') collect(schema.additionalProperties)
}
for (const { schema } of builtinResources) if (schema) collect(schema)

const clientType = (type: string): string => {
  if (type.startsWith('Array<')) return 'array'
  if (type.startsWith('{')) return 'object'
  if (type === 'number') return 'integer'
  if (type === 'Date' || type === 'V1MicroTime') return 'string'
  return /^[a-z]+$/.test(type) ? type : 'object'
}

const compared = [...definitions].flatMap(([name, schema]) => {
  const model = modelOf(name)
  return model && schema.properties ? [{ name, schema, model }] : []
})

describe('schemas of built-in kinds', () => {
  it('cover the definitions that the official client knows', () => {
    expect(compared.length).toBeGreaterThan(150)
  })

  it.each(compared)('$name has only fields of the official client, with the same types', ({ schema, model }) => {
    const known = new Map(model.attributeTypeMap.map((attribute) => [attribute.baseName, attribute.type]))
    for (const [field, property] of Object.entries(schema.properties ?? {})) {
      const type = known.get(field)
      expect(type, `field ${field}`).toBeDefined()
      if (property.type === undefined || type === 'any') continue
      expect(property.type, `type of ${field}`).toBe(clientType(type ?? ''))
    }
  })

  it.each(compared.filter(({ schema }) => !schema['x-kubernetes-preserve-unknown-fields']))(
    '$name lacks no field of the official client, or keeps unknown ones',
    ({ schema, model }) => {
      expect(Object.keys(schema.properties ?? {})).toEqual(
        expect.arrayContaining(model.attributeTypeMap.map((attribute) => attribute.baseName)),
      )
    },
  )

  it('merge lists by keys that the items have', () => {
    const problems: string[] = []
    const visit = (schema: OpenApiSchema, path: string) => {
      const keys = schema['x-kubernetes-list-map-keys'] ?? []
      const patchKey = schema['x-kubernetes-patch-merge-key']
      for (const key of [...keys, ...(patchKey ? [patchKey] : [])]) {
        if (!schema.items?.properties?.[key]) problems.push(`${path} has no ${key}`)
      }
      for (const [field, property] of Object.entries(schema.properties ?? {})) visit(property, `${path}.${field}`)
      if (schema.items) visit(schema.items, `${path}[]`)
    }
    for (const { kind, schema } of builtinResources) if (schema) visit(schema, kind)
    expect(problems).toEqual([])
  })

  it('require only fields that exist', () => {
    for (const [name, schema] of definitions) {
      for (const field of [...(schema.required ?? []), ...zeroedOf(schema)]) {
        expect(Object.keys(schema.properties ?? {}), name).toContain(field)
      }
    }
  })
})
