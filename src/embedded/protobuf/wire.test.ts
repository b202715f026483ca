import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StatusError } from '../server/statusError.ts'
import { WireReader } from './wire.ts'

const read = (...bytes: number[]) => new WireReader().readMessage(Buffer.from(bytes), 'spec', 0)

function refusal(act: () => unknown): { readonly code: number; readonly message: string } {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('WireReader', () => {
  it('reads every wire type, and all values of a field in their order', () => {
    const fields = read(0x08, 0x96, 0x01, 0x12, 2, 0x61, 0x62, 0x08, 7, 0x1d, 1, 2, 3, 4, 0x21, 1, 2, 3, 4, 5, 6, 7, 8)
    expect([...fields]).toEqual([
      [
        1,
        [
          { kind: 'varint', number: 150n },
          { kind: 'varint', number: 7n },
        ],
      ],
      [2, [{ kind: 'bytes', bytes: Buffer.from('ab') }]],
      [3, [{ kind: 'fixed', bytes: Buffer.from([1, 2, 3, 4]) }]],
      [4, [{ kind: 'fixed', bytes: Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]) }]],
    ])
  })

  it('reads a number of ten bytes as 64 bits', () => {
    const number = read(0x08, ...Array<number>(9).fill(0xff), 0x01).get(1)?.[0]
    expect(number).toEqual({ kind: 'varint', number: 2n ** 64n - 1n })
  })

  it.each([
    ['a number that does not end', [0x08, 0x80], 'the message ends within a number'],
    ['a number of eleven bytes', [0x08, ...Array<number>(10).fill(0x80), 1], 'a number is longer than 64 bits'],
    ['a length beyond the message', [0x12, 3, 1], 'field 2 is 3 bytes long, but its message ends after 1'],
    [
      'a length of 64 bits',
      [0x12, ...Array<number>(9).fill(0xff), 0x01],
      'field 2 is 18446744073709552000 bytes long, but its message ends after 0',
    ],
    ['a fixed number beyond the message', [0x0d, 1, 2], 'field 1 is 4 bytes long, but its message ends after 2'],
    ['a group', [0x0b, 0x0c], 'field 1 has wire type 3; expected 0, 1, 2 or 5'],
    ['field number 0', [0x00, 1], '0 is no field number'],
    ['a field number of 30 bits', [0x80, 0x80, 0x80, 0x80, 0x10, 1], '536870912 is no field number'],
  ])('refuses %s', (_, bytes, why) => {
    expect(refusal(() => read(...bytes))).toEqual({
      code: 400,
      message: `the protobuf body of the request cannot be read, at spec: ${why}`,
    })
  })

  it('refuses messages nested deeper than its limit', () => {
    const deep = () => new WireReader().readMessage(Buffer.alloc(0), '', 65)
    expect(refusal(deep).message).toContain('nested deeper than 64')
  })

  it('counts the fields of all messages of a body against one limit', () => {
    const reader = new WireReader()
    const manyFields = Buffer.alloc(400_000, Buffer.from([0x0a, 0x00]))
    expect(reader.readMessage(manyFields, '', 0).get(1)).toHaveLength(200_000)
    expect(refusal(() => reader.readMessage(manyFields, '', 0)).message).toContain('more than 250000 fields')
    expect(refusal(() => reader.readPacked(Buffer.alloc(1), '')).message).toContain('more than 250000 fields')
  })

  it('reads packed numbers one by one', () => {
    expect(new WireReader().readPacked(Buffer.from([1, 0x96, 1]), '')).toEqual([
      { kind: 'varint', number: 1n },
      { kind: 'varint', number: 150n },
    ])
  })

  it('throws nothing but a StatusError 400, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          new WireReader().readMessage(Buffer.from(bytes), '', 0)
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError)
          expect(error).toMatchObject({ code: 400 })
        }
      }),
    )
  })
})
