import { describe, expect, test } from 'vitest'
import { fieldErrorToCause, formatFieldError } from './fieldError.ts'
import type { JSONSchemaProps, ValidationRule } from './jsonSchemaProps.ts'
import { compileSchema } from './structuralSchema.ts'

const withRules = (schema: JSONSchemaProps, ...rules: readonly ValidationRule[]) =>
  compileSchema({ type: 'object', properties: { spec: { ...schema, 'x-kubernetes-validations': rules } } })

const messagesOf = (schema: JSONSchemaProps, rule: ValidationRule, value: unknown, old?: unknown): readonly string[] =>
  withRules(schema, rule)
    .validate({ spec: value }, old === undefined ? undefined : { spec: old })
    .map(formatFieldError)

const integers: JSONSchemaProps = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } }

describe('a rule', () => {
  test('refuses with its message and the type of the value', () => {
    expect(messagesOf(integers, { rule: 'self.a > self.b', message: 'a first' }, { a: 1, b: 2 })).toEqual([
      'spec: Invalid value: "object": a first',
    ])
  })
  test('without a message shows itself', () => {
    expect(messagesOf({ type: 'integer' }, { rule: 'self > 1' }, 1)).toEqual([
      'spec: Invalid value: "integer": failed rule: self > 1',
    ])
  })
  test('prefers the computed message, and the fixed one when that fails', () => {
    const rule = { rule: 'self.a > 1', message: 'fixed' }
    expect(messagesOf(integers, { ...rule, messageExpression: "'got ' + string(self.a)" }, { a: 1 })).toEqual([
      'spec: Invalid value: "object": got 1',
    ])
    expect(messagesOf(integers, { ...rule, messageExpression: 'string(self.b)' }, { a: 1 })).toEqual([
      'spec: Invalid value: "object": fixed',
    ])
  })
  test('that cannot be computed refuses', () => {
    expect(messagesOf(integers, { rule: 'self.b > 1', message: 'm' }, { a: 1 })).toEqual([
      'spec: Invalid value: "object": no such key: b evaluating rule: m',
    ])
  })
  test('may point at another field with another reason', () => {
    const [error] = withRules(integers, {
      rule: 'has(self.b)',
      message: 'b please',
      reason: 'FieldValueRequired',
      fieldPath: '.b',
    }).validate({ spec: { a: 1 } })
    expect(error && fieldErrorToCause(error)).toEqual({
      reason: 'FieldValueRequired',
      message: 'Required value: b please',
      field: 'spec.b',
    })
  })
  test('is not checked while the object has wrong types', () => {
    expect(messagesOf(integers, { rule: 'self.a > 1' }, { a: 'x' })).toEqual([
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })
  test('is not checked again for a value that stays', () => {
    expect(messagesOf(integers, { rule: 'self.a > 1' }, { a: 1 }, { a: 1 })).toEqual([])
  })
})

describe('a transition rule', () => {
  const grows: ValidationRule = { rule: 'self >= oldSelf', message: 'must grow' }
  test('is skipped on create', () => expect(messagesOf({ type: 'integer' }, grows, 1)).toEqual([]))
  test('is checked on update', () => {
    expect(messagesOf({ type: 'integer' }, grows, 1, 2)).toEqual(['spec: Invalid value: "integer": must grow'])
    expect(messagesOf({ type: 'integer' }, grows, 3, 2)).toEqual([])
  })
  test('with optional oldSelf is checked on create too', () => {
    const rule: ValidationRule = {
      rule: "self == 'new' || oldSelf.orValue('') == self",
      optionalOldSelf: true,
      message: 'm',
    }
    expect(messagesOf({ type: 'string' }, rule, 'legacy')).toHaveLength(1)
    expect(messagesOf({ type: 'string' }, rule, 'legacy', 'legacy')).toEqual([])
    expect(messagesOf({ type: 'string' }, rule, 'new')).toEqual([])
  })
  test('inside a map list compares with the item of the same key, inside other lists it is skipped', () => {
    const items: JSONSchemaProps = {
      type: 'object',
      properties: { name: { type: 'string' }, n: { type: 'integer', 'x-kubernetes-validations': [grows] } },
    }
    const map = compileSchema({
      type: 'object',
      properties: {
        spec: { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      },
    })
    const atomic = compileSchema({ type: 'object', properties: { spec: { type: 'array', items } } })
    const [now, old] = [
      {
        spec: [
          { name: 'b', n: 0 },
          { name: 'a', n: 1 },
        ],
      },
      { spec: [{ name: 'a', n: 2 }] },
    ]
    expect(map.validate(now, old).map(formatFieldError)).toEqual(['spec[1].n: Invalid value: "integer": must grow'])
    expect(atomic.validate(now, old)).toEqual([])
  })
})

describe("Kubernetes' functions", () => {
  const text: JSONSchemaProps = { type: 'string' }
  const list: JSONSchemaProps = { type: 'array', items: { type: 'integer' } }
  test.each<[JSONSchemaProps, string, unknown, boolean]>([
    [text, '!format.dns1123Label().validate(self).hasValue()', 'a-b', true],
    [text, '!format.dns1123Label().validate(self).hasValue()', 'a.b', false],
    [text, '!format.dns1123Subdomain().validate(self).hasValue()', 'a.b', true],
    [text, '!format.dns1035Label().validate(self).hasValue()', '1a', false],
    [text, '!format.qualifiedName().validate(self).hasValue()', 'a.b/C', true],
    [text, "quantity(self).isGreaterThan(quantity('1Mi'))", '2Mi', true],
    [text, "quantity(self).compareTo(quantity('1Gi')) == 0", '1024Mi', true],
    [text, 'isQuantity(self)', '1x', false],
    [
      text,
      "isURL(self) && url(self).getHostname() == 'a.b' && url(self).getPort() == '8080' && url(self).getScheme() == 'https'",
      'https://a.b:8080/c',
      true,
    ],
    [text, 'isURL(self)', 'no url', false],
    [text, 'isIP(self) && ip(self).family() == 6', '2001:db8::1', true],
    [text, 'isIP(self)', '2001:db8:::1', false],
    [text, 'isIP(self)', '010.0.0.1', false],
    [text, "isCIDR(self) && cidr(self).containsIP('10.1.2.3') && cidr(self).prefixLength() == 8", '10.0.0.0/8', true],
    [text, "cidr(self).containsCIDR('10.1.0.0/16')", '10.0.0.0/8', true],
    [text, "cidr(self).containsIP(ip('11.0.0.1'))", '10.0.0.0/8', false],
    [text, "self.find('[0-9]+') == '12' && self.findAll('[a-z]') == ['a', 'b']", 'a12b3', true],
    [text, "self.replace('a', 'b') == 'bb' && self.charAt(0) == 'a'", 'ab', true],
    [list, 'self.isSorted() && self.sum() == 6 && self.min() == 1 && self.max() == 3', [1, 2, 3], true],
    [list, 'self.isSorted()', [2, 1], false],
    [list, 'self.indexOf(2) == 1 && self.lastIndexOf(2) == 2', [1, 2, 2], true],
    [{ type: 'string', format: 'date-time' }, "self > timestamp('2020-01-01T00:00:00Z')", '2021-01-01T00:00:00Z', true],
    [{ type: 'string', format: 'byte' }, 'size(self) == 3', 'YWJj', true],
    [{ 'x-kubernetes-int-or-string': true }, "type(self) == int ? self > 1 : self == 'x'", 2, true],
    [{ 'x-kubernetes-int-or-string': true }, "type(self) == int ? self > 1 : self == 'x'", 'x', true],
    [
      { type: 'object', properties: { 'a-b': { type: 'integer' }, namespace: { type: 'string' } } },
      "self.a__dash__b == 1 && self.__namespace__ == 'x'",
      { 'a-b': 1, namespace: 'x' },
      true,
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' } },
      "self.all(k, k.startsWith('a') && self[k] > 0)",
      { a1: 1, a2: 2 },
      true,
    ],
    [{ type: 'number' }, 'self > 1.0', 1.5, true],
  ])('%j: %s for %j', (schema, rule, value, holds) => {
    expect(messagesOf(schema, { rule, message: 'no' }, value).length === 0).toBe(holds)
  })
})
