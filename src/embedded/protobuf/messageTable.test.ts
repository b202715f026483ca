import { describe, expect, it } from 'vitest'
import { builtinResources } from '../builtins/resources.ts'
import { type OpenApiSchema, resourceApiVersion } from '../server/resource.ts'
import { valueReaders } from './fieldValue.ts'
import { messageOf } from './kinds.ts'
import { type FieldType, fieldsOf, messageNames } from './messageTable.ts'

const visible = (message: string): readonly FieldType[] =>
  (fieldsOf(message) ?? []).flatMap((field) => (field.shape === 'inlined' ? visible(field.type) : [field]))

describe('the table of protobuf messages', () => {
  it('uses each number and each member of a message once', () => {
    for (const message of messageNames()) {
      const fields = fieldsOf(message) ?? []
      expect(new Set(fields.map(({ number }) => number)).size, message).toBe(fields.length)
      const members = visible(message).map(({ name }) => name)
      expect(new Set(members).size, message).toBe(members.length)
    }
  })

  it('names only types that can be read', () => {
    const known = new Set([...valueReaders.keys(), ...messageNames()])
    const types = messageNames().flatMap((message) => (fieldsOf(message) ?? []).map(({ type }) => type))
    expect(types.filter((type) => !known.has(type))).toEqual([])
  })

  it('tells an unknown message from a known one', () => {
    expect(fieldsOf('Widget')).toBeUndefined()
    expect(fieldsOf('KeyToPath')).toEqual([
      { number: 1, name: 'key', shape: 'single', type: 'string', keepsZero: true },
      { number: 2, name: 'path', shape: 'single', type: 'string', keepsZero: true },
      { number: 3, name: 'mode', shape: 'single', type: 'int32', keepsZero: true },
    ])
  })

  it('has every field that the schemas of the built-in kinds have', () => {
    const missing = builtinResources.flatMap((resource) => {
      const message = messageOf(resourceApiVersion(resource), resource.kind)
      return message ? missingIn(resource.schema ?? {}, message, resource.kind, new Set()) : []
    })
    expect(missing).toEqual([])
  })

  it('reads every built-in kind but the definitions of custom resources', () => {
    const unread = builtinResources.filter((resource) => !messageOf(resourceApiVersion(resource), resource.kind))
    expect(unread.map(({ kind }) => kind)).toEqual(['CustomResourceDefinition'])
  })
})

function missingIn(schema: OpenApiSchema, message: string, at: string, above: ReadonlySet<string>): readonly string[] {
  if (above.has(message)) return []
  const fields = new Map(visible(message).map((field) => [field.name, field]))
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    // Objects name their kind in the envelope, or not at all inside of others (volumeClaimTemplates).
    if (fields.has('metadata') && (name === 'apiVersion' || name === 'kind')) return []
    const field = fields.get(name)
    if (!field) return [`${at}.${name}`]
    const inner =
      field.shape === 'list' ? property.items : field.shape === 'map' ? property.additionalProperties : property
    if (typeof inner !== 'object' || valueReaders.has(field.type)) return []
    return missingIn(inner, field.type, `${at}.${name}`, new Set([...above, message]))
  })
}
