import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64FaultAt, dataUrlFault, encodeBase64DataUrl, encodePercentDataUrl, parseDataUrl } from './dataUrl.ts'

const bytesOf = (url: string): unknown => {
  const result = parseDataUrl(url)
  return result.ok ? Buffer.from(result.bytes).toString('latin1') : result.message
}

describe('parseDataUrl', () => {
  // spec: render 10.4
  it.each([
    ['data:,', ''],
    ['data:,a%20b', 'a b'],
    ['data:,a+b', 'a+b'],
    ['data:;base64,YQ==', 'a'],
    ['data:;base64,Y\nQ=\n=', 'a'],
    ['data:text/plain;charset=utf-8;base64,YQ==', 'a'],
    ['data:x-thing/y,z', 'z'],
    ['data:;q="a;b,\\"c",z', 'z'],
    ['data:,a b', 'invalid data character'],
    ['data:,é', 'invalid data character'],
    ['data:text/plain,a{b}', 'invalid data character'],
    ['data:,a%zz', 'rfc2396: invalid char 0x25 in unescape sequence'],
    ['data:,a%', 'rfc2396: unexpected end of unescape sequence'],
    ['data:;base64,YQ', 'illegal base64 data at input byte 0'],
    ['data:;base64,YQ=', 'illegal base64 data at input byte 3'],
    ['data:;base64,YQ==YQ==', 'illegal base64 data at input byte 4'],
    ['data:foo/bar,a', 'invalid media type'],
    ['data:text,a', 'invalid character for media type'],
    ['data:text', 'missing media type slash'],
    ['data:text/', 'incomplete media type'],
    ['data:text/plain', 'incomplete media type'],
    ['data:;', 'unterminated parameter sequence'],
    ['data:;a=b', 'missing comma before data'],
    ['data:;a="b', 'unclosed quoted string'],
    ['data:;utf8,x', 'expected base64, got utf8'],
    ['http://h', 'missing data prefix'],
  ])('reads %j as %j', (url, expected) => {
    expect(bytesOf(url)).toBe(expected)
  })

  it('never throws, and agrees with the check that decodes nothing', () => {
    const any = fc.oneof(
      fc.string(),
      fc.string().map((text) => `data:${text}`),
      fc.string().map((text) => `data:;base64,${text}`),
    )
    fc.assert(
      fc.property(any, (url) => {
        const result = parseDataUrl(url)
        expect(dataUrlFault(url)).toBe(result.ok ? undefined : result.message)
      }),
      { numRuns: 500 },
    )
  })

  it('reads back what was encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const expected = Buffer.from(bytes).toString('latin1')
        expect(bytesOf(encodeBase64DataUrl(bytes))).toBe(expected)
        expect(bytesOf(encodePercentDataUrl(bytes))).toBe(expected)
      }),
    )
  })
})

describe('encodeBase64DataUrl', () => {
  it.each([
    ['#!/bin/sh\n', 'text/plain;charset=utf-8'],
    ['', 'text/plain;charset=utf-8'],
    [' <?xml version="1.0"?>', 'text/xml;charset=utf-8'],
    ['<!DOCTYPE HTML>', 'text/html;charset=utf-8'],
    ['<b', 'text/plain;charset=utf-8'],
    ['\x1f\x8b\x08\x00', 'application/x-gzip'],
    ['\x00\x01\x02', 'application/octet-stream'],
    ['\xff\xfe', 'text/plain;charset=utf-8'],
  ])('calls %j %s', (content, type) => {
    expect(encodeBase64DataUrl(Buffer.from(content, 'latin1')).split(';base64,')[0]).toBe(`data:${type}`)
  })
})

describe('base64FaultAt', () => {
  it('accepts exactly what encodes back to the same text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9+/=]{0,9}$/), (text) => {
        const padded = /^[^=]*={0,2}$/.test(text) && text.length % 4 === 0
        expect(base64FaultAt(text) === undefined).toBe(padded)
      }),
    )
  })
})
