import { crc32, inflateRawSync } from 'node:zlib'

/**
 * gzip (RFC 1952) with one or several members; messages are those of Go's reader, which reach the wire. The result is
 * limited: a few kilobytes could otherwise fill the memory of a node.
 */
export function gunzip(
  bytes: Uint8Array,
  { maxBytes = maxUnpackedBytes }: { readonly maxBytes?: number } = {},
): Gunzipped {
  const parts: Uint8Array[] = []
  let left = maxBytes
  for (let at = 0; at < bytes.length || parts.length === 0; ) {
    const body = headerEnd(bytes, at)
    // Only the first header belongs to opening the reader; later ones are found while reading.
    if (typeof body === 'string') return { ok: false, step: parts.length === 0 ? 'open' : 'read', message: body }
    const member = inflate(bytes.subarray(body), left)
    if (typeof member === 'string') return { ok: false, step: 'read', message: member }
    parts.push(member.bytes)
    left -= member.bytes.length
    at = body + member.consumed
  }
  return { ok: true, bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts) }
}

export type Gunzipped =
  | { readonly ok: true; readonly bytes: Uint8Array }
  /** `open`: the header is no gzip header. `read`: what follows is broken, cut off or too large. */
  | { readonly ok: false; readonly step: 'open' | 'read'; readonly message: string }

/** More than any file that fits into a cluster object should unpack to. */
const maxUnpackedBytes = 256 * 1024 * 1024

const fixedHeaderBytes = 10
const trailerBytes = 8
const deflated = 8
const flags = { headerChecksum: 2, extra: 4, name: 8, comment: 16 }

function headerEnd(bytes: Uint8Array, start: number): number | string {
  if (start >= bytes.length) return 'EOF'
  if (bytes.length - start < fixedHeaderBytes) return 'unexpected EOF'
  if (bytes[start] !== 0x1f || bytes[start + 1] !== 0x8b || bytes[start + 2] !== deflated) return 'gzip: invalid header'
  const flag = bytes[start + 3] ?? 0
  let at = start + fixedHeaderBytes
  if (flag & flags.extra) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const text of [flags.name, flags.comment]) {
    if (!(flag & text)) continue
    const zero = bytes.indexOf(0, at)
    if (zero < 0) return 'unexpected EOF'
    at = zero + 1
  }
  if (flag & flags.headerChecksum) at += 2
  return at > bytes.length ? 'unexpected EOF' : at
}

function inflate(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly consumed: number } | string {
  const unpacked = inflateRaw(bytes, maxBytes)
  if (typeof unpacked === 'string') return unpacked
  const consumed = unpacked.consumed + trailerBytes
  if (consumed > bytes.length) return 'unexpected EOF'
  const trailer = new DataView(bytes.buffer, bytes.byteOffset + unpacked.consumed, trailerBytes)
  const intact =
    trailer.getUint32(0, true) === crc32(unpacked.bytes) &&
    trailer.getUint32(4, true) === unpacked.bytes.length % 2 ** 32
  return intact ? { bytes: unpacked.bytes, consumed } : 'gzip: invalid checksum'
}

function inflateRaw(
  bytes: Uint8Array,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly consumed: number } | string {
  try {
    // With `info` the call also tells how much of the input belongs to this member; the types do not know that.
    const result: unknown = inflateRawSync(bytes, { info: true, maxOutputLength: Math.max(1, maxBytes) })
    const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } }
    return { bytes: buffer, consumed: engine.bytesWritten }
  } catch (error) {
    switch (error instanceof Error && 'code' in error ? error.code : undefined) {
      case 'Z_BUF_ERROR':
        return 'unexpected EOF'
      case 'Z_DATA_ERROR':
        return 'flate: corrupt input'
      case 'ERR_BUFFER_TOO_LARGE':
        return `more than ${maxBytes} bytes unpacked; refused`
      default:
        throw error
    }
  }
}
