import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonNumber, parseJson } from './jsonText.ts'

const parsed = (text: string): unknown => {
  const result = parseJson(text)
  return result.ok ? result.value : result
}

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(asNumbers(parsed(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('never throws, and refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), mangledJson), (text) => {
        expect(parseJson(text).ok).toBe(isJson(text))
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['', 'unexpected end of JSON input', 0],
    ['nope', "invalid character 'o' in literal null (expecting 'u')", 2],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string", 8],
    ['{"a" 1}', "invalid character '1' after object key", 6],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair", 8],
    ['[1 2]', "invalid character '2' after array element", 4],
    ['{} x', "invalid character 'x' after top-level value", 4],
    ['"a\nb"', "invalid character '\\n' in string literal", 3],
    ['"\\x"', "invalid character 'x' in string escape code", 3],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape", 6],
    ['"abc', 'unexpected end of JSON input', 4],
    ['-x', "invalid character 'x' in numeric literal", 2],
    ['1.x', "invalid character 'x' after decimal point in numeric literal", 3],
    ['1e+x', "invalid character 'x' in exponent of numeric literal", 4],
    ['01', "invalid character '1' after top-level value", 2],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string", 2],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value", 1],
  ])('says about %j what Go says', (text, message, offset) => {
    expect(parseJson(text)).toEqual({ ok: false, message, offset })
  })

  it('keeps integers beyond 2^53 exact', () => {
    expect(parsed('[9007199254740993,-9007199254740993,9007199254740991]')).toEqual([
      9007199254740993n,
      -9007199254740993n,
      9007199254740991,
    ])
  })

  it('keeps a number that is not written as an integer when asked to', () => {
    const result = parseJson('[420.0,4e2,420]', { keepFractions: true })
    expect(result).toEqual({ ok: true, value: [new JsonNumber('420.0'), new JsonNumber('4e2'), 420] })
  })

  it('reports repeated keys and takes the last', () => {
    const seen: string[] = []
    expect(parseJson('{"a":1,"a":2}', { onRepeatedKey: (key) => seen.push(key) })).toEqual({
      ok: true,
      value: { a: 2 },
    })
    expect(seen).toEqual(['a'])
  })

  it('replaces lone surrogates and leaves the prototype alone', () => {
    expect(parsed('"\\ud800x"')).toBe('\ufffdx')
    const value = parsed('{"__proto__":{"x":1}}') as object
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })

  it('refuses nesting that would exhaust the stack', () => {
    expect(parseJson('['.repeat(100_000))).toMatchObject({ ok: false, message: 'exceeded max depth' })
  })
})

/** Large integers as the doubles that JSON.parse makes of them. */
const asNumbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? Number(member) : member)))

const mangledJson = fc
  .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
  .map(([text, at, other]) => text.slice(0, at % (text.length + 1)) + other + text.slice((at % (text.length + 1)) + 1))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return false
  }
}
