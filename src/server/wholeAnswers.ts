import type { TLSSocket } from 'node:tls'

/** Status line and headers of a config's answer are about a quarter of this. */
const roomBytes = 1024
const rooms = new WeakMap<Buffer, Buffer>()

/** The text's bytes, with room in front of them in which a TLS connection puts the header of an answer. */
export function bytesWithRoom(text: string): Buffer {
  const whole = Buffer.allocUnsafeSlow(roomBytes + Buffer.byteLength(text))
  whole.write(text, roomBytes)
  const body = whole.subarray(roomBytes)
  rooms.set(body, whole)
  return body
}

/**
 * Node.js encrypts one buffer as it is, but copies several into a new one first, and HTTP writes header and body as two. Here the
 * header goes into the room before the body, so that a body of any size is encrypted where it lies. The room may be shared by all
 * connections, because a write is encrypted, or copied, before it returns. Everything else is written as ever.
 */
export function writeAnswersWhole(socket: TLSSocket): void {
  const writePieces = socket._writev
  if (!writePieces) return
  socket._writev = function (this: TLSSocket, pieces, done) {
    const whole = this.connecting ? undefined : wholeOf(pieces)
    if (whole) this._write(whole, streamEncoding, done)
    else writePieces.call(this, pieces, done)
  }
}

/** What a stream's own methods get with bytes; the types leave it out. */
const streamEncoding = 'buffer' as BufferEncoding

type Pieces = Parameters<NonNullable<TLSSocket['_writev']>>[0]

/** A header that fits before its body, and at most an empty end after that. */
function wholeOf(pieces: Pieces): Buffer | undefined {
  const [head, body, end] = pieces
  if (pieces.length > 3 || (end && end.chunk.length > 0)) return undefined
  const whole = rooms.get(body?.chunk)
  if (!whole || typeof head?.chunk !== 'string' || head.chunk.length > roomBytes) return undefined
  const start = roomBytes - head.chunk.length
  whole.write(head.chunk, start, 'latin1')
  return whole.subarray(start)
}
