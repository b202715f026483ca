import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatFieldSelector,
  formatLabelQuery,
  isEmptyLabelSelector,
  type LabelQuery,
  labelSelectorToQuery,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from './selectors.ts'

function query(text: string): LabelQuery {
  const parsed = parseLabelSelector(text)
  if ('error' in parsed) throw new Error(parsed.error)
  return parsed.value
}

describe('parseLabelSelector and matchesLabels', () => {
  const labels = { role: 'worker', zone: 'a', cpus: '8', empty: '' }
  test.each([
    ['', true],
    ['role=worker', true],
    ['role==worker', true],
    ['role = worker , zone=a', true],
    ['role=master', false],
    ['role!=master', true],
    ['absent!=x', true],
    ['role in (master, worker)', true],
    ['role in (master)', false],
    ['role notin (master)', true],
    ['absent notin (x)', true],
    ['absent in (x)', false],
    ['zone', true],
    ['absent', false],
    ['!absent', true],
    ['! zone', false],
    ['cpus>4', true],
    ['cpus>8', false],
    ['cpus<9', true],
    ['zone>1', false],
    ['empty=', true],
    ['empty in ()', true],
    ['role=worker,zone in (a,b),!absent', true],
    ['constructor', false],
  ])('%s on a labelled object gives %s', (text, expected) => {
    expect(matchesLabels(query(text), labels)).toBe(expected)
  })

  test.each([
    '=a',
    'a=b=c',
    'a in b',
    'a in (b',
    ',',
    'a,,b',
    '-a',
    'a>b',
    'a b',
    '!!a',
    'a=b c',
    `a=${'x'.repeat(64)}`,
  ])('refuses %s with a reason', (text) => {
    expect(parseLabelSelector(text)).toEqual({ error: expect.stringContaining('unable to parse requirement') })
  })

  test('formats sorted by key with sorted sets', () => {
    expect(formatLabelQuery(query('z, b notin (y,x), a==c, !d'))).toBe('a=c,b notin (x,y),!d,z')
  })
})

describe('labelSelectorToQuery', () => {
  test('selects nothing when absent and everything when empty', () => {
    expect(labelSelectorToQuery(undefined)).toEqual({ value: { kind: 'nothing' } })
    expect(labelSelectorToQuery(null)).toEqual({ value: { kind: 'nothing' } })
    expect(labelSelectorToQuery({})).toEqual({ value: { kind: 'all', requirements: [] } })
  })

  test('joins labels and expressions', () => {
    const parsed = labelSelectorToQuery({
      matchLabels: { role: 'worker' },
      matchExpressions: [
        { key: 'zone', operator: 'In', values: ['b', 'a'] },
        { key: 'gpu', operator: 'DoesNotExist' },
        { key: 'disk', operator: 'Exists' },
        { key: 'os', operator: 'NotIn', values: ['windows'] },
      ],
    })
    expect('value' in parsed && formatLabelQuery(parsed.value)).toBe(
      'disk,!gpu,os notin (windows),role=worker,zone in (a,b)',
    )
  })

  test.each([
    [{ matchExpressions: [{ key: 'a', operator: 'Has' }] }, '"Has" is not a valid label selector operator'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    ],
  ])('refuses %j', (selector, error) => {
    expect(labelSelectorToQuery(selector)).toEqual({ error })
  })

  test('isEmptyLabelSelector holds for absent, null and empty members', () => {
    expect([undefined, null, {}, { matchLabels: {} }, { matchLabels: { a: 'b' } }].map(isEmptyLabelSelector)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('laws', () => {
  const key = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
  const value = fc.stringMatching(/^([A-Za-z0-9]([A-Za-z0-9._-]{0,8}[A-Za-z0-9])?)?$/)
  const term = fc.oneof(
    fc.tuple(key, fc.constantFrom('=', '!='), value).map((parts) => parts.join('')),
    fc
      .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([name, operator, values]) => `${name} ${operator} (${values.join(', ')})`),
    key,
    key.map((name) => `!${name}`),
  )
  const text = fc.array(term, { maxLength: 4 }).map((terms) => terms.join(','))

  test('formatting is a fixed point of parsing and selects the same', () => {
    fc.assert(
      fc.property(text, fc.dictionary(key, value), (selector, labels) => {
        const first = query(selector)
        const formatted = formatLabelQuery(first) ?? ''
        expect(formatLabelQuery(query(formatted))).toBe(formatted)
        expect(matchesLabels(query(formatted), labels)).toBe(matchesLabels(first, labels))
      }),
    )
  })

  test('parsing never throws', () => {
    fc.assert(fc.property(fc.string(), (anything) => void [parseLabelSelector(anything), parseFieldSelector(anything)]))
  })

  test('field values survive formatting and parsing, whatever they hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const requirements = [
          { field: 'metadata.name', operator: '=', value: a },
          { field: 'spec.nodeName', operator: '!=', value: b },
        ] as const
        expect(parseFieldSelector(formatFieldSelector(requirements))).toEqual({ value: requirements })
      }),
    )
  })
})

describe('parseFieldSelector', () => {
  test.each([
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name==a', true],
    ['metadata.name!=a', false],
    ['metadata.name=a,status.phase!=Running', true],
    ['metadata.name=a,status.phase=Running', false],
  ])('%s gives %s', (text, expected) => {
    const parsed = parseFieldSelector(text)
    const values: Record<string, string> = { 'metadata.name': 'a', 'status.phase': 'Pending' }
    expect('value' in parsed && matchesFields(parsed.value, (field) => values[field] ?? '')).toBe(expected)
  })

  test('refuses a term without an operator', () => {
    expect(parseFieldSelector('metadata.name')).toEqual({
      error: "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    })
  })
})
