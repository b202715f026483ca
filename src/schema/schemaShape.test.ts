import { describe, expect, it } from 'vitest'
import { schemaShapeErrors } from './schemaShape.ts'

describe('schemaShapeErrors', () => {
  it.each<[unknown, string, string]>([
    [null, 's', 'object'],
    [{ properties: null }, 's.properties', 'object'],
    [{ properties: { a: 1 } }, 's.properties[a]', 'object'],
    [{ items: [] }, 's.items', 'object'],
    [{ additionalProperties: 'yes' }, 's.additionalProperties', 'object'],
    [{ anyOf: { a: 1 } }, 's.anyOf', 'array'],
    [{ allOf: [{ not: 1 }] }, 's.allOf[0].not', 'object'],
    [{ required: [1] }, 's.required[0]', 'string'],
    [{ maxLength: '5' }, 's.maxLength', 'number'],
    [{ nullable: 'true' }, 's.nullable', 'boolean'],
    [{ 'x-kubernetes-validations': [{ rule: 1 }] }, 's.x-kubernetes-validations[0].rule', 'string'],
  ])('of %j are at %s', (schema, field, expected) => {
    const errors = schemaShapeErrors(schema, 's')
    expect(errors.map((error) => [error.field, error.detail.includes(`of type ${expected}`)])).toEqual([[field, true]])
  })

  it('are none for a schema, whatever defaults and enums hold', () => {
    const schema = {
      type: 'object',
      default: null,
      properties: { constructor: { enum: [null, 1], additionalProperties: true } },
    }
    expect(schemaShapeErrors(schema, 's')).toEqual([])
  })
})
