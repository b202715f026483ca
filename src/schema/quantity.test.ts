import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareQuantities, formatQuantity, parseQuantity, type Quantity, quantityToWhole } from './quantity.ts'

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text)
  if (!parsed) throw new Error(`no quantity: ${text}`)
  return parsed
}

describe('formatQuantity', () => {
  test.each([
    ['0', '0'],
    ['1', '1'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1.5Gi', '1536Mi'],
    ['1024Ki', '1Mi'],
    ['1023Ki', '1023Ki'],
    ['0.5Ki', '512'],
    ['0.5Mi', '512Ki'],
    ['1Ki', '1Ki'],
    ['1e3', '1e3'],
    ['1500e0', '1500'],
    ['12E6', '12e6'],
    ['.5', '500m'],
    ['5.', '5'],
    ['+5', '5'],
    ['-1.5', '-1500m'],
    ['0.1n', '1n'],
    ['10Mi', '10Mi'],
    ['1E', '1E'],
    ['99999999999E', '9223372036854775807'],
  ])('%s becomes %s', (text, expected) => {
    expect(formatQuantity(quantity(text))).toBe(expected)
  })
})

test.each(['', 'a', '1.2.3', '1KiB', '1ki', '1 Gi', '--1', '1e', '.', 'Mi', '1e999999999'])(
  'parseQuantity refuses %j',
  (text) => {
    expect(parseQuantity(text)).toBeUndefined()
  },
)

test('quantityToWhole rounds up', () => {
  expect(['1', '1.1', '500m', '-1.5', '8Ki'].map((text) => quantityToWhole(quantity(text)))).toEqual([
    1n,
    2n,
    1n,
    -1n,
    8192n,
  ])
})

describe('laws', () => {
  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.nat(1_000_000),
      fc.option(fc.nat(999), { nil: undefined }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'E-2'),
    )
    .map(([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`)

  test('the canonical text is a fixed point', () => {
    fc.assert(
      fc.property(text, (input) => {
        const canonical = formatQuantity(quantity(input))
        expect(formatQuantity(quantity(canonical))).toBe(canonical)
      }),
    )
  })

  test('comparison agrees with the amounts', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compareQuantities(quantity(a), quantity(b))).toBe(-compareQuantities(quantity(b), quantity(a)) || 0)
        expect(compareQuantities(quantity(a), quantity(a))).toBe(0)
      }),
    )
  })
})
