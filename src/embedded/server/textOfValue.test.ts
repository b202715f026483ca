import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOfValue } from './textOfValue.ts'

describe('textOfValue', () => {
  it.each<[unknown, string]>([
    ['v1', 'v1'],
    [1, '1'],
    [undefined, 'nothing'],
    [null, 'null'],
    [{ toString: null }, '{"toString":null}'],
    ['x'.repeat(300), `${'x'.repeat(200)}...`],
  ])('writes %j', (value, text) => {
    expect(textOfValue(value)).toBe(text)
  })

  it('never throws, and never writes much', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => textOfValue(value).length <= 203))
  })
})
