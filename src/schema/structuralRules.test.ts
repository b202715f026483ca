import { describe, expect, it } from 'vitest'
import { formatFieldError } from './fieldError.ts'
import type { JSONSchemaProps } from './jsonSchemaProps.ts'
import { structuralErrors } from './structuralRules.ts'

const object = (properties: Record<string, object>, rest: object = {}) => ({ type: 'object', properties, ...rest })

describe('structuralErrors', () => {
  it.each<[string, object, readonly string[]]>([
    ['a root without a type', { properties: {} }, ['s.type: Required value: must not be empty at the root']],
    ['a root that is no object', { type: 'string' }, ['s.type: Invalid value: "string": must be object at the root']],
    [
      'a field without a type',
      object({ a: object({ b: {} }) }),
      ['s.properties[a].properties[b].type: Required value: must not be empty for specified object fields'],
    ],
    [
      'items without a type',
      object({ a: { type: 'array', items: {} } }),
      ['s.properties[a].items.type: Required value: must not be empty for specified array items'],
    ],
    [
      'a list without items',
      object({ a: { type: 'array' } }),
      ['s.properties[a].items: Required value: must be specified'],
    ],
    [
      'an unknown type',
      object({ a: { type: 'strin' } }),
      [
        's.properties[a].type: Unsupported value: "strin": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [
      'fields beside free keys',
      object({ a: { type: 'string' } }, { additionalProperties: { type: 'string' } }),
      ['s.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      'a default of the wrong type',
      object({ a: { type: 'integer', default: 'x' } }),
      [
        's.properties[a].default: Invalid value: "string": s.properties[a].default in body must be of type integer: "string"',
      ],
    ],
    [
      'a default with an unknown field',
      object({ a: object({}, { default: { b: 1 } }) }),
      ['s.properties[a].default.b: Invalid value: {"b":1}: must not be an unknown field'],
    ],
    [
      'a list map without keys',
      object({ a: { type: 'array', 'x-kubernetes-list-type': 'map', items: object({}) } }),
      [
        's.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
      ],
    ],
    [
      'a structure within a condition',
      object({ a: { type: 'string' } }, { anyOf: [{ properties: { a: { default: 'x' } } }] }),
      ['s.anyOf[0].properties[a].default: Forbidden: must be empty to be structural'],
    ],
  ])('names %s', (_, schema, expected) => {
    expect(structuralErrors(schema as JSONSchemaProps, 's').map(formatFieldError)).toEqual(expected)
  })

  it('names a pattern that is none', () => {
    const [error] = structuralErrors(object({ a: { type: 'string', pattern: '(' } }) as JSONSchemaProps, 's')
    expect(error?.field).toBe('s.properties[a].pattern')
  })

  it.each<[string, object]>([
    ['int-or-string', { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }],
    ['unknown fields', { 'x-kubernetes-preserve-unknown-fields': true }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['a default object', object({ a: { type: 'string' } }, { default: { a: 'x' } })],
  ])('finds nothing in %s', (_, schema) => {
    expect(structuralErrors(object({ a: schema }) as JSONSchemaProps, 's')).toEqual([])
  })
})
