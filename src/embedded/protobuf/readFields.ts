/** One field of a protobuf message as it stands on the wire (protobuf documentation, "Encoding"). */
export interface WireField {
  readonly number: number
  readonly value:
    | { readonly kind: 'varint'; readonly value: bigint }
    | { readonly kind: 'bytes'; readonly value: Buffer }
}

/** Bytes that are no protobuf message, or use a wire type that Kubernetes' kinds do not. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

export function readFields(message: Buffer): readonly WireField[] {
  const fields: WireField[] = []
  let offset = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[offset]
      if (byte === undefined) throw new ProtobufError('the message ends within a number')
      offset += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, value)
    }
    throw new ProtobufError('a number is longer than 64 bits')
  }
  while (offset < message.length) {
    const tag = Number(varint())
    const number = tag >>> 3
    switch (tag & 7) {
      case 0:
        fields.push({ number, value: { kind: 'varint', value: varint() } })
        break
      case 2: {
        const length = Number(varint())
        if (length < 0 || offset + length > message.length)
          throw new ProtobufError(`field ${number} is longer than its message`)
        fields.push({ number, value: { kind: 'bytes', value: message.subarray(offset, offset + length) } })
        offset += length
        break
      }
      default:
        throw new ProtobufError(`field ${number} has wire type ${tag & 7}, which no Kubernetes kind uses`)
    }
  }
  return fields
}
