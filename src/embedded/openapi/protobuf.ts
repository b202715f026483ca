/** The protobuf wire format, writing only (public docs, "Protocol Buffers: Encoding"). */
export type Field = Buffer

/** A varint field; false and 0 are the default and need no bytes. */
export function varintField(number: number, value: number | boolean): Field {
  const amount = Number(value)
  return amount === 0 ? empty : Buffer.concat([varint(number * 8), varint(amount)])
}

/** Strings, bytes and messages: a length and that many bytes. Empty strings are the default and need none. */
export function textField(number: number, value: string | undefined): Field {
  return value === undefined || value === '' ? empty : bytesField(number, Buffer.from(value, 'utf8'))
}

/** A present message counts even when it is empty. */
export function messageField(number: number, parts: readonly Field[] | undefined): Field {
  return parts === undefined ? empty : bytesField(number, Buffer.concat(parts))
}

export function doubleField(number: number, value: number | undefined): Field {
  if (value === undefined || value === 0) return empty
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return Buffer.concat([varint(number * 8 + 1), bytes])
}

const empty = Buffer.alloc(0)

const bytesField = (number: number, bytes: Buffer): Field =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes])

/** Seven bits per byte, least significant first. Only whole numbers from 0 to 2^53 - 1 are written here. */
function varint(value: number): Buffer {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`cannot write ${value} as an unsigned varint`)
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}
