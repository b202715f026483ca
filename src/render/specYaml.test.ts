import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { specYaml, type YamlValue } from './specYaml.ts'

const yamlOf = (value: YamlValue): string => {
  const written = specYaml({ v: value })
  if ('error' in written) throw new Error(written.error)
  return written.yaml.replace(/^v: /, '').replace(/\n$/, '')
}

const styles: readonly (readonly [string, string])[] = [
  ['5678', '"5678"'],
  ['yes', '"yes"'],
  ['1:20', '"1:20"'],
  ['2020-01-01', '"2020-01-01"'],
  ['2020-02-30', '2020-02-30'],
  ['2001-12-14T21:59:43.1Z', '"2001-12-14T21:59:43.1Z"'],
  ['2001-12-14 21:59:43 Z', '2001-12-14 21:59:43 Z'],
  ['0x1f', '"0x1f"'],
  ['0xg', '0xg'],
  ['0x1ffffffffffffffff', '0x1ffffffffffffffff'],
  ['1_000', '"1_000"'],
  ['08', '"08"'],
  ['1e400', '1e400'],
  ['.5', '".5"'],
  ['3.5.0', '3.5.0'],
  ['a: b', "'a: b'"],
  ['x:', "'x:'"],
  ['a #b', "'a #b'"],
  ['- x', "'- x'"],
  ['---', "'---'"],
  [' lead', "' lead'"],
  ['null ', "'null '"],
  ["it's", "it's"],
  ["it's: so", "'it''s: so'"],
  ['say "hi"', 'say "hi"'],
  ['<a&b>', '<a&b>'],
  ['console=ttyS0,115200n8', 'console=ttyS0,115200n8'],
  ['multi\n', '|\n  multi'],
  ['multi\n\n', '|+\n  multi\n'],
  [' lead\nx', '|2-\n   lead\n  x'],
  ['tab\there', '"tab\\there"'],
  ['x\r\ny', '"x\\r\\ny"'],
  ['\u{1F600}', '"\\U0001F600"'],
  ['a \u0085 b', 'a b'],
  ['a\u2028b', "'a\u2028  b'"],
  ['\ufeffab', '"\\uFEFF\\x61\\x62"'],
]

test.each(styles)('specYaml writes %j in the style of the original', (text, expected) => {
  expect(yamlOf(text)).toBe(expected)
})

const numbers: readonly (readonly [number | bigint, string])[] = [
  [0, '0'],
  [-0, '0'],
  [420, '420'],
  [9223372036854775807n, '9223372036854775807'],
  [18446744073709551615n, '18446744073709551615'],
  [18446744073709551616n, '1.8446744073709552e+19'],
  [1234567.5, '1.2345675e+06'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
]

test.each(numbers)('specYaml writes the number %s as Go does', (value, expected) => {
  expect(yamlOf(value)).toBe(expected)
})

test('specYaml orders keys naturally and leaves out undefined members', () => {
  expect(specYaml({ a10: 1, a9: 2, Z: 3, '-': 4, gone: undefined })).toEqual({ yaml: "'-': 4\nZ: 3\na9: 2\na10: 1\n" })
})

test.each([
  [{ 'a\u0085': 1 }, "did not find expected ',' or '}'"],
  [{ a: 'x\u0085--- y' }, 'found unexpected document indicator'],
  [{ a: ['\ufffe'] }, 'control characters are not allowed'],
])('specYaml refuses %j as the original does', (spec, why) => {
  expect(specYaml(spec)).toMatchObject({ error: expect.stringContaining(why) })
})

test('specYaml folds beyond column 80 at a single blank', () => {
  const word = 'x'.repeat(40)
  expect(yamlOf(`${word} ${word} ${word}`)).toBe(`${word} ${word}\n  ${word}`)
})

test('specYaml reads back equal with an independent parser', () => {
  const text = fc.stringMatching(/^[\n\t "'#:,\-a-z0-9é😀]{0,60}$/u).filter((value) => !/^\s|---|\.\.\./.test(value))
  const value = fc.letrec<{ value: YamlValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.boolean(),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('value'), { maxKeys: 3 }),
    ),
  })).value
  fc.assert(
    fc.property(value, (document) => {
      const written = specYaml({ v: document })
      const yaml = 'yaml' in written ? written.yaml : ''
      expect(parse(yaml, { version: '1.1' })).toEqual({ v: document })
    }),
    { numRuns: 200 },
  )
})

test('specYaml stays linear on a text of a megabyte', () => {
  const started = performance.now()
  yamlOf('a b '.repeat(250_000))
  yamlOf(`${': '.repeat(250_000)}\u{1F600}`)
  expect(performance.now() - started).toBeLessThan(2000)
})
