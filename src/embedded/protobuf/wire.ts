import { badRequest, type StatusError } from '../server/statusError.ts'

/** What a field carries on the wire; fixed-size numbers are left as the bytes that they are. */
export type WireValue =
  | { readonly kind: 'varint'; readonly number: bigint }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'fixed'; readonly bytes: Buffer }

/** More fields than any object of a legal size has: a body of empty fields would take far more memory than it has bytes. */
const maxFields = 250_000
const maxDepth = 64

/** One body, read under one budget. Every refusal is a 400 that says where and what, never with content. */
export class WireReader {
  #fieldsLeft = maxFields

  /** The fields of a message in the order of their first appearance, each with all its values. */
  readMessage(message: Buffer, at: string, depth: number): ReadonlyMap<number, readonly WireValue[]> {
    if (depth > maxDepth) throw malformed(at, `messages are nested deeper than ${maxDepth}`)
    const fields = new Map<number, WireValue[]>()
    const cursor = { message, offset: 0, at }
    while (cursor.offset < message.length) {
      this.#spend(at)
      const tag = readVarint(cursor)
      const number = Number(tag >> 3n)
      if (number < 1 || number > maxFieldNumber) throw malformed(at, `${number} is no field number`)
      const value = readValue(cursor, number, Number(tag & 7n))
      const values = fields.get(number)
      if (values) values.push(value)
      else fields.set(number, [value])
    }
    return fields
  }

  /** A list of numbers may come as one value (protobuf documentation, "Packed Repeated Fields"). */
  readPacked(message: Buffer, at: string): readonly WireValue[] {
    const values: WireValue[] = []
    const cursor = { message, offset: 0, at }
    while (cursor.offset < message.length) {
      this.#spend(at)
      values.push({ kind: 'varint', number: readVarint(cursor) })
    }
    return values
  }

  #spend(at: string): void {
    this.#fieldsLeft -= 1
    if (this.#fieldsLeft < 0) throw malformed(at, `there are more than ${maxFields} fields in all`)
  }
}

const maxFieldNumber = 2 ** 29 - 1

interface Cursor {
  readonly message: Buffer
  readonly at: string
  offset: number
}

/** Wire types, see the protobuf documentation, "Encoding". Groups (3 and 4) are older than Kubernetes. */
function readValue(cursor: Cursor, field: number, wireType: number): WireValue {
  switch (wireType) {
    case 0:
      return { kind: 'varint', number: readVarint(cursor) }
    case 1:
      return { kind: 'fixed', bytes: take(cursor, 8, field) }
    case 2:
      return { kind: 'bytes', bytes: take(cursor, Number(readVarint(cursor)), field) }
    case 5:
      return { kind: 'fixed', bytes: take(cursor, 4, field) }
    default:
      throw malformed(cursor.at, `field ${field} has wire type ${wireType}; expected 0, 1, 2 or 5`)
  }
}

function take(cursor: Cursor, length: number, field: number): Buffer {
  const left = cursor.message.length - cursor.offset
  if (length > left)
    throw malformed(cursor.at, `field ${field} is ${length} bytes long, but its message ends after ${left}`)
  cursor.offset += length
  return cursor.message.subarray(cursor.offset - length, cursor.offset)
}

/** Seven bits per byte, least significant first; ten bytes hold 64 bits. */
function readVarint(cursor: Cursor): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.message[cursor.offset]
    if (byte === undefined) throw malformed(cursor.at, 'the message ends within a number')
    cursor.offset += 1
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asUintN(64, value)
  }
  throw malformed(cursor.at, 'a number is longer than 64 bits')
}

/** 400; `at` is the path of the field in the JSON form of the object, empty for the object itself. */
export const malformed = (at: string, why: string): StatusError =>
  badRequest(`the protobuf body of the request cannot be read${at === '' ? '' : `, at ${at}`}: ${why}`)
