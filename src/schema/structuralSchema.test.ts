import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFieldError } from './fieldError.ts'
import type { JSONSchemaProps } from './jsonSchemaProps.ts'
import { compileSchema } from './structuralSchema.ts'

/** A schema whose `spec` is the given one. */
const withSpec = (spec: JSONSchemaProps) => compileSchema({ type: 'object', properties: { spec } })

const messagesOf = (spec: JSONSchemaProps, value: unknown, old?: unknown): readonly string[] =>
  withSpec(spec)
    .validate({ spec: value }, old === undefined ? undefined : { spec: old })
    .map(formatFieldError)

describe('validate speaks as the API server', () => {
  const object = (properties: Record<string, JSONSchemaProps>, more: JSONSchemaProps = {}): JSONSchemaProps => ({
    type: 'object',
    properties,
    ...more,
  })
  const rows: readonly [string, JSONSchemaProps, unknown, readonly string[]][] = [
    [
      'wrong type',
      { type: 'integer' },
      'a',
      ['spec: Invalid value: "string": spec in body must be of type integer: "string"'],
    ],
    [
      'fraction as integer',
      { type: 'integer' },
      1.5,
      ['spec: Invalid value: "number": spec in body must be of type integer: "number"'],
    ],
    ['integer as number', { type: 'number' }, 1, []],
    ['null', { type: 'string' }, null, ['spec: Invalid value: "null": spec in body must be of type string: "null"']],
    ['nullable null', { type: 'string', nullable: true, minLength: 1 }, null, []],
    [
      'list for object',
      { type: 'object' },
      [],
      ['spec: Invalid value: "array": spec in body must be of type object: "array"'],
    ],
    ['required', object({}, { required: ['a', 'b'] }), { b: 1 }, ['spec.a: Required value']],
    [
      'enum',
      { type: 'string', enum: ['Manual', 'None'] },
      'Automatic',
      ['spec: Unsupported value: "Automatic": supported values: "Manual", "None"'],
    ],
    [
      'pattern',
      { type: 'string', pattern: '^[a-z]+$' },
      'A1',
      ['spec: Invalid value: "A1": spec in body should match \'^[a-z]+$\''],
    ],
    ['case-insensitive pattern', { type: 'string', pattern: '(?i)^abc\\z' }, 'ABC', []],
    [
      'too short',
      { type: 'string', minLength: 2 },
      'é',
      ['spec: Invalid value: "é": spec in body should be at least 2 chars long'],
    ],
    ['too long', { type: 'string', maxLength: 2 }, 'abc', ['spec: Too long: may not be more than 2 bytes']],
    ['astral characters count once', { type: 'string', maxLength: 2, minLength: 2 }, '😀😀', []],
    [
      'below minimum',
      { type: 'integer', minimum: 0 },
      -1,
      ['spec: Invalid value: -1: spec in body should be greater than or equal to 0'],
    ],
    [
      'exclusive minimum',
      { type: 'integer', minimum: 0, exclusiveMinimum: true },
      0,
      ['spec: Invalid value: 0: spec in body should be greater than 0'],
    ],
    [
      'above maximum',
      { type: 'integer', maximum: 10 },
      11,
      ['spec: Invalid value: 11: spec in body should be less than or equal to 10'],
    ],
    [
      'exclusive maximum',
      { type: 'integer', maximum: 10, exclusiveMaximum: true },
      10,
      ['spec: Invalid value: 10: spec in body should be less than 10'],
    ],
    ['multiple', { type: 'number', multipleOf: 0.1 }, 0.3, []],
    [
      'no multiple',
      { type: 'integer', multipleOf: 5 },
      7,
      ['spec: Invalid value: 7: spec in body should be a multiple of 5'],
    ],
    [
      'int32 overflow',
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['spec: Invalid value: 2147483648: spec in body must be of type int32: "2147483648"'],
    ],
    ['integer beyond 2^53', { type: 'integer', format: 'int64', minimum: 0 }, 2n ** 60n, []],
    [
      'integer beyond int64',
      { type: 'integer', format: 'int64' },
      2n ** 70n,
      ['spec: Invalid value: 1.1805916207174113e+21: spec in body must be of type int64: "1.1805916207174113e+21"'],
    ],
    [
      'too few items',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [],
      ['spec: Invalid value: 0: spec in body should have at least 1 items'],
    ],
    [
      'too many items',
      { type: 'array', items: { type: 'string' }, maxItems: 3 },
      ['a', 'b', 'c', 'd', 'e'],
      ['spec: Too many: 5: must have at most 3 items'],
    ],
    [
      'item type',
      { type: 'array', items: { type: 'string' } },
      ['a', 1],
      ['spec[1]: Invalid value: "integer": spec[1] in body must be of type string: "integer"'],
    ],
    [
      'too few properties',
      { type: 'object', minProperties: 1 },
      {},
      ['spec: Invalid value: 0: spec in body should have at least 1 properties'],
    ],
    [
      'too many properties',
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } },
      { a: '', b: '' },
      ['spec: Too many: 2: must have at most 1 item'],
    ],
    [
      'map values',
      { type: 'object', additionalProperties: { type: 'string' } },
      { a: 1 },
      ['spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"'],
    ],
    [
      'int or string',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['spec: Invalid value: "boolean": spec in body must be of type integer,string: "boolean"'],
    ],
    [
      'date-time',
      { type: 'string', format: 'date-time' },
      'soon',
      ['spec: Invalid value: "soon": spec in body must be of type date-time: "soon"'],
    ],
    ['unknown format', { type: 'string', format: 'whatever' }, 'soon', []],
    [
      'set',
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      ['a', 'b', 'a'],
      ['spec[2]: Duplicate value: "a"'],
    ],
    [
      'map list',
      {
        type: 'array',
        items: object({ name: { type: 'string' }, v: { type: 'string' } }),
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      [
        { name: 'a', v: '1' },
        { name: 'a', v: '2' },
      ],
      ['spec[1]: Duplicate value: {"name":"a"}'],
    ],
    [
      'embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      { kind: 'A' },
      ['spec.apiVersion: Required value: must not be empty'],
    ],
    [
      'anyOf',
      { type: 'string', anyOf: [{ pattern: '^a' }, { pattern: '^b' }] },
      'c',
      ['spec: Invalid value: "": spec in body must validate at least one schema (anyOf)'],
    ],
    [
      'oneOf',
      { type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] },
      'ab',
      [
        'spec: Invalid value: "": spec in body must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ],
    [
      'not',
      { type: 'string', not: { pattern: 'a' } },
      'a',
      ['spec: Invalid value: "": spec in body must not validate the schema (not)'],
    ],
    [
      'allOf',
      { type: 'string', allOf: [{ minLength: 2 }] },
      'a',
      [
        'spec: Invalid value: "a": spec in body should be at least 2 chars long',
        'spec: Invalid value: "": spec in body must validate all the schemas (allOf)',
      ],
    ],
  ]
  test.each(rows)('%s', (_name, schema, value, expected) => {
    expect(messagesOf(schema, value)).toEqual(expected)
  })

  test('reports every problem, not only the first', () => {
    const schema = object({ a: { type: 'integer' }, b: { type: 'string', enum: ['x'] } }, { required: ['c'] })
    expect(messagesOf(schema, { a: 'no', b: 'y' })).toHaveLength(3)
  })
})

describe('validate on updates', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    properties: { mode: { type: 'string', enum: ['new'] }, other: { type: 'string' } },
  }
  test('does not check again what stays as it was stored', () => {
    expect(messagesOf(schema, { mode: 'legacy', other: 'b' }, { mode: 'legacy', other: 'a' })).toEqual([])
  })
  test('checks what changes', () => {
    expect(messagesOf(schema, { mode: 'worse' }, { mode: 'legacy' })).toHaveLength(1)
  })
  test('finds the stored item of a map list by its key', () => {
    const list: JSONSchemaProps = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, mode: { type: 'string', enum: ['new'] } } },
    }
    const old = [{ name: 'a', mode: 'legacy' }]
    expect(
      messagesOf(
        list,
        [
          { name: 'b', mode: 'new' },
          { name: 'a', mode: 'legacy' },
        ],
        old,
      ),
    ).toEqual([])
    expect(messagesOf(list, [{ name: 'b', mode: 'legacy' }], old)).toHaveLength(1)
  })
})

describe('prune', () => {
  const schema = compileSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          known: { type: 'string' },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
          list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
          raw: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { strict: { type: 'object', properties: { a: { type: 'string' } } } },
          },
          embedded: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
        },
      },
    },
  })

  test('drops unknown members everywhere and names their paths', () => {
    const value = {
      apiVersion: 'v1',
      kind: 'A',
      metadata: { name: 'a', labels: { x: 'y' } },
      extra: 1,
      spec: {
        known: 'k',
        foo: 1,
        map: { m: { a: '', b: '' } },
        list: [{ a: '' }, { c: '' }],
        raw: { anything: { at: ['all'] }, strict: { a: '', z: 1 } },
        embedded: { apiVersion: 'v1', kind: 'B', metadata: { name: 'b' }, spec: { x: 1 }, status: {} },
      },
    }
    const { value: pruned, unknown } = schema.prune(value)
    expect(pruned).toEqual({
      apiVersion: 'v1',
      kind: 'A',
      metadata: { name: 'a', labels: { x: 'y' } },
      spec: {
        known: 'k',
        map: { m: { a: '' } },
        list: [{ a: '' }, {}],
        raw: { anything: { at: ['all'] }, strict: { a: '' } },
        embedded: { apiVersion: 'v1', kind: 'B', metadata: { name: 'b' }, spec: {} },
      },
    })
    expect(unknown).toEqual([
      'extra',
      'spec.foo',
      'spec.map.m.b',
      'spec.list[1].c',
      'spec.raw.strict.z',
      'spec.embedded.spec.x',
      'spec.embedded.status',
    ])
  })

  test('returns the same object when nothing is unknown', () => {
    const value = { spec: { known: 'k', list: [{ a: 'b' }] } }
    expect(schema.prune(value).value).toBe(value)
  })
})

describe('applyDefaults', () => {
  const schema = compileSchema({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          mode: { type: 'string', default: 'Normal' },
          maybe: { type: 'string', nullable: true, default: 'x' },
          nothing: { type: 'string' },
          inner: { type: 'object', default: {}, properties: { size: { type: 'integer', default: 3 } } },
          absent: { type: 'object', properties: { size: { type: 'integer', default: 3 } } },
          list: {
            type: 'array',
            items: { type: 'object', properties: { arch: { type: 'string', default: 'NoArch' } } },
          },
          map: { type: 'object', additionalProperties: { type: 'string', default: 'd' } },
        },
      },
    },
  })

  test('fills what is absent, inside objects that exist or are defaulted', () => {
    expect(schema.applyDefaults({ spec: { list: [{}, { arch: 'ARM64' }] } })).toEqual({
      spec: { mode: 'Normal', maybe: 'x', inner: { size: 3 }, list: [{ arch: 'NoArch' }, { arch: 'ARM64' }] },
    })
  })

  test('turns null into the default or drops it, unless null is allowed', () => {
    expect(
      schema.applyDefaults({ spec: { mode: null, maybe: null, nothing: null, inner: {}, map: { a: null } } }),
    ).toEqual({
      spec: { mode: 'Normal', maybe: null, inner: { size: 3 }, map: { a: 'd' } },
    })
  })

  test('is idempotent, leaves the input alone and never shares a default between objects', () => {
    const input = { spec: {} }
    const first = schema.applyDefaults(input) as { spec: { inner: object } }
    const second = schema.applyDefaults({ spec: {} }) as { spec: { inner: object } }
    expect(input).toEqual({ spec: {} })
    expect(first.spec.inner).not.toBe(second.spec.inner)
    expect(schema.applyDefaults(first)).toBe(first)
  })
})

describe('laws', () => {
  const leaf = fc.oneof(
    fc
      .record({ minLength: fc.nat(3), maxLength: fc.nat(6) })
      .map((more): JSONSchemaProps => ({ type: 'string', ...more })),
    fc
      .record({ minimum: fc.integer({ min: -5, max: 5 }), maximum: fc.integer({ min: -5, max: 5 }) })
      .map((more): JSONSchemaProps => ({ type: 'integer', ...more })),
    fc.constantFrom<JSONSchemaProps>(
      { type: 'boolean' },
      { type: 'number' },
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', pattern: '^[a-c]*$' },
      { type: 'string', nullable: true },
    ),
  )
  const schemas = fc.letrec<{ schema: JSONSchemaProps }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc
        .record({ items: tie('schema'), minItems: fc.nat(2), maxItems: fc.nat(4) })
        .map((more): JSONSchemaProps => ({ type: 'array', ...more })),
      fc
        .record({
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
          required: fc.subarray(['a', 'b']),
          minProperties: fc.nat(1),
        })
        .map((more): JSONSchemaProps => ({ type: 'object', ...more })),
      tie('schema').map((additionalProperties): JSONSchemaProps => ({ type: 'object', additionalProperties })),
    ),
  })).schema
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('', 'a', 'abc', 'zzz'),
      fc.integer({ min: -6, max: 6 }),
      fc.boolean(),
      fc.constant(null),
      fc.constant(1.5),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3 }),
    ),
  })).value

  test('an independent validator (ajv) accepts and refuses the same values', () => {
    const ajv = new Ajv({ strict: false })
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 10 }), (schema, samples) => {
        const oracle = ajv.compile({ properties: { spec: schema } })
        for (const value of samples) {
          expect({ value, valid: messagesOf(schema, value).length === 0 }).toEqual({
            value,
            valid: oracle({ spec: value }),
          })
        }
      }),
      { numRuns: 40 },
    )
  })

  test('pruning and defaulting are idempotent, and pruning knows its own result', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const compiled = withSpec(schema)
        const once = compiled.applyDefaults(compiled.prune({ spec: value }).value)
        const twice = compiled.prune(once)
        expect(twice.unknown).toEqual([])
        expect(compiled.applyDefaults(twice.value)).toBe(once)
      }),
    )
  })
})

test('compileSchema refuses a pattern or a rule that cannot be read', () => {
  expect(() => withSpec({ type: 'string', pattern: '[' })).toThrow(/regular expression/i)
  expect(() => withSpec({ type: 'string', 'x-kubernetes-validations': [{ rule: 'self ==' }] })).toThrow()
})
