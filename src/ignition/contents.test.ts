import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeContents } from './contents.ts'
import { gunzip } from './gunzip.ts'
import { parseWrappedIgnition } from './gzipConfig.ts'

const gzipped = (text: string): Buffer => gzipSync(text)
const outcome = (bytes: Uint8Array): string => {
  const result = gunzip(bytes)
  return result.ok ? Buffer.from(result.bytes).toString() : `${result.step}: ${result.message}`
}

describe('gunzip', () => {
  it.each([
    ['one member', gzipped('hello'), 'hello'],
    ['two members', Buffer.concat([gzipped('hel'), gzipped('lo')]), 'hello'],
    ['nothing', Buffer.alloc(0), 'open: EOF'],
    ['a short header', Buffer.from('hello'), 'open: unexpected EOF'],
    ['another format', Buffer.from('hello world hello'), 'open: gzip: invalid header'],
    ['a cut off body', gzipped('hello').subarray(0, 15), 'read: unexpected EOF'],
    ['a cut off trailer', gzipped('hello').subarray(0, -1), 'read: unexpected EOF'],
    [
      'a wrong checksum',
      Buffer.concat([gzipped('hello').subarray(0, -8), Buffer.alloc(8)]),
      'read: gzip: invalid checksum',
    ],
    [
      'a broken body',
      Buffer.concat([gzipped('').subarray(0, 10), Buffer.alloc(30, 0xff)]),
      'read: flate: corrupt input',
    ],
    ['some bytes behind', Buffer.concat([gzipped('hello'), Buffer.from('xx')]), 'read: unexpected EOF'],
    ['many bytes behind', Buffer.concat([gzipped('hello'), Buffer.from('x'.repeat(20))]), 'read: gzip: invalid header'],
  ])('unpacks %s', (_what, bytes, expected) => {
    expect(outcome(bytes)).toBe(expected)
  })

  it('refuses to unpack more than the limit, also over several members', () => {
    const bomb = gzipSync(Buffer.alloc(60_000))
    expect(gunzip(bomb, { maxBytes: 60_000 }).ok).toBe(true)
    expect(gunzip(bomb, { maxBytes: 59_999 })).toMatchObject({ ok: false, step: 'read' })
    expect(gunzip(Buffer.concat([bomb, bomb]), { maxBytes: 100_000 })).toMatchObject({ ok: false, step: 'read' })
  })

  it('reads headers with name and comment', () => {
    const plain = gzipped('hello')
    const header = Buffer.from(plain.subarray(0, 10))
    header[3] = 8 | 16
    expect(outcome(Buffer.concat([header, Buffer.from('name\0comment\0'), plain.subarray(10)]))).toBe('hello')
  })

  it('never throws', () => {
    const almost = fc.tuple(fc.uint8Array(), fc.uint8Array({ maxLength: 4 })).map(([content, noise]) => {
      const bytes = gzipSync(content)
      noise.forEach((byte, index) => {
        bytes[(byte * 7 + index * 13) % bytes.length] = byte
      })
      return bytes
    })
    fc.assert(fc.property(fc.oneof(fc.uint8Array(), almost), (bytes) => typeof gunzip(bytes).ok === 'boolean'))
  })
})

describe('decodeContents', () => {
  it.each([
    [undefined, ''],
    [{}, ''],
    [{ source: '' }, ''],
    [{ source: '', compression: 'gzip' }, ''],
    [{ source: 'data:,a%20b' }, 'a b'],
    [{ source: `data:;base64,${gzipped('zip me').toString('base64')}`, compression: 'gzip' }, 'zip me'],
  ])('reads %j', (resource, expected) => {
    expect(Buffer.from(decodeContents(resource).value ?? '?').toString()).toBe(expected)
  })

  it('refuses remote sources and unknown compressions without a value', () => {
    expect(decodeContents({ source: 'https://h/secret' })).toEqual({
      issues: [
        { severity: 'error', path: '$.source', message: 'could not decode file content string: missing data prefix' },
      ],
      wireError: 'could not decode file content string: missing data prefix',
    })
    expect(decodeContents({ source: 'data:,x', compression: 'xz' }).issues[0]?.path).toBe('$.compression')
  })
})

describe('parseWrappedIgnition', () => {
  const config = '{"ignition":{"version":"3.5.0"},"storage":{"files":[{"path":"/日本"}]}}'

  it('reads all three forms to the same config', () => {
    const forms = [Buffer.from(config), gzipped(config), Buffer.from(gzipped(config).toString('base64'))]
    const values = forms.map((bytes) => parseWrappedIgnition(bytes).value)
    expect(values[0]?.storage?.files).toEqual([{ path: '/日本' }])
    expect(values[1]).toEqual(values[0])
    expect(values[2]).toEqual(values[0])
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const { value, wireError } = parseWrappedIgnition(bytes)
        expect(value === undefined).toBe(wireError !== undefined)
      }),
    )
  })
})
