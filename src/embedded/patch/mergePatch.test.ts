import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from './mergePatch.ts'

describe('mergePatch', () => {
  // RFC 7386, appendix A.
  it.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    // Members that every object inherits are no data.
    [{}, { toString: { a: 1 } }, { toString: { a: 1 } }],
  ])('of %j with %j is %j', (target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected)
  })

  it('changes nothing with an empty patch, and nothing more the second time', () => {
    const json = fc.jsonValue()
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), json, (target, patch) => {
        expect(mergePatch(target, {})).toEqual(target)
        const once = mergePatch(target, patch)
        expect(mergePatch(once, patch)).toEqual(once)
      }),
    )
  })

  it('keeps a member called __proto__ as data', () => {
    const patched = mergePatch({}, JSON.parse('{"__proto__":{"a":1}}'))
    expect(Object.getPrototypeOf(patched)).toBe(Object.prototype)
    expect(JSON.stringify(patched)).toBe('{"__proto__":{"a":1}}')
  })
})
