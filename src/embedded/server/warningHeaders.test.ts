import { describe, expect, it } from 'vitest'
import { warningHeaders } from './warningHeaders.ts'

describe('warningHeaders', () => {
  it('is nothing for no warnings', () => {
    expect(warningHeaders(new Set())).toEqual({})
  })

  it('quotes, joins, and drops what a header cannot hold', () => {
    expect(warningHeaders(new Set(['a "b" \\', 'c\u0000\r\n\u0007d']))).toEqual({
      warning: '299 - "a \\"b\\" \\\\", 299 - "c d"',
    })
  })

  it('sends other alphabets as UTF-8 bytes', () => {
    const { warning = '' } = warningHeaders(new Set(['unknown field "spec.日本"']))
    expect(Buffer.from(warning, 'latin1').toString('utf8')).toBe('299 - "unknown field \\"spec.日本\\""')
    expect(/^[\t\x20-\x7e\x80-\xff]*$/.test(warning)).toBe(true)
  })

  it('stays small enough for every client', () => {
    const many = new Set(Array.from({ length: 1000 }, (_, index) => `unknown field "${'x'.repeat(500)}${index}"`))
    const { warning = '' } = warningHeaders(many)
    expect([warning.length < 8192, warning.split(', ').length]).toEqual([true, 16])
  })
})
