import { describe, expect, it } from 'vitest'
import { varintField } from './protobuf.ts'
import { encodeSwagger } from './swaggerProtobuf.ts'

/** Reads any message into numbers and raw values: enough to check what was written, with no knowledge of it. */
interface Read {
  readonly field: number
  readonly value: number | Buffer
}
function read(bytes: Buffer): readonly Read[] {
  const fields: Read[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = varint()
    if (tag % 8 === 0) {
      fields.push({ field: tag >> 3, value: varint() })
    } else {
      const length = tag % 8 === 1 ? 8 : varint()
      fields.push({ field: tag >> 3, value: bytes.subarray(at, at + length) })
      at += length
    }
  }
  return fields
}
function at(bytes: Buffer, ...path: readonly number[]): Buffer {
  return path.reduce((message, number) => {
    const value = read(message).find(({ field }) => field === number)?.value
    if (!(value instanceof Buffer)) throw new Error(`no message in field ${number}`)
    return value
  }, bytes)
}

describe('varintField', () => {
  it.each([
    [1, '0801'],
    [150, '089601'],
    [2 ** 31, '088080808008'],
  ])('writes %d as %s', (value, expected) => {
    expect(varintField(1, value).toString('hex')).toBe(expected)
  })
  it('leaves out zero and refuses negative numbers', () => {
    expect(varintField(1, 0).length).toBe(0)
    expect(() => varintField(1, -1)).toThrow(RangeError)
  })
})

describe('encodeSwagger', () => {
  const bytes = encodeSwagger({
    swagger: '2.0',
    info: { title: 'T', version: 'V' },
    paths: {
      '/a': {
        patch: {
          parameters: [{ name: 'dryRun', in: 'query', type: 'string' }],
          'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'A' },
        },
      },
    },
    definitions: {
      A: { type: 'object', properties: { names: { type: 'array', items: { $ref: '#/definitions/B' } } } },
    },
  })

  it('puts definitions under their names, with types, items and references', () => {
    const definition = at(bytes, 9, 1)
    expect(at(definition, 1).toString()).toBe('A')
    expect(at(definition, 2, 22, 1).toString()).toBe('object')
    const property = at(definition, 2, 25, 1)
    expect(at(property, 1).toString()).toBe('names')
    expect(at(property, 2, 23, 1, 1).toString()).toBe('#/definitions/B')
  })

  it('puts query parameters and extensions where kubectl looks for them', () => {
    const operation = at(bytes, 8, 2, 2, 8)
    expect(at(operation, 8, 1, 2, 3, 4).toString()).toBe('dryRun')
    expect(at(operation, 13, 1).toString()).toBe('x-kubernetes-group-version-kind')
    expect(JSON.parse(at(operation, 13, 2, 2).toString())).toEqual({ group: '', version: 'v1', kind: 'A' })
  })
})
