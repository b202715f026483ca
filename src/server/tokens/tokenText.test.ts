import { describe, expect, it } from 'vitest'
import { isTokenOf, mintTokenText, parseTokenText, tokenHash } from './tokenText.ts'

const issuedAt = new Date('2026-03-01T12:00:00Z')
const text = mintTokenText('abcd1234', issuedAt, Buffer.alloc(32, 7))

describe('token texts', () => {
  it('say which token they are and when it was issued', () => {
    expect(parseTokenText(text)).toEqual({ text, id: 'abcd1234', issuedAt })
    expect(text).toMatch(/^abcd1234\.[0-9a-z]{6}\.[A-Za-z0-9_-]{43}$/)
  })

  it('are known by their hash alone', () => {
    const hash = tokenHash(text)
    expect(hash).not.toContain('abcd')
    expect([isTokenOf(text, hash), isTokenOf(`${text}x`, hash), isTokenOf(text, ''), isTokenOf(text, 'zz')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it.each(['', 'x', 'abcd1234', 'abcd1234.sss.short', `${text} `, `${text}=`, `../../${text}`, `${text}\n`])(
    'refuse what was never made: %j',
    (other) => expect(parseTokenText(other)).toBeUndefined(),
  )

  it('cannot be made from too little randomness or an id that is no name', () => {
    expect(() => mintTokenText('abcd1234', issuedAt, Buffer.alloc(16))).toThrow('32 bytes, found 16')
    expect(() => mintTokenText('A/../b', issuedAt, Buffer.alloc(32))).toThrow('small letters')
  })
})
