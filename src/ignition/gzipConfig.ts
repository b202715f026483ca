import { base64FaultAt } from './dataUrl.ts'
import { gunzip } from './gunzip.ts'
import { type ParsedIgnition, parseIgnition } from './parseIgnition.ts'

/**
 * Reads a whole config that may be plain JSON, gzip, or base64 of gzip: annotations, config maps and build contexts hold
 * all three (spec: render 10.4). Base64 is tried first; if it is none, the bytes themselves are looked at.
 */
export function parseWrappedIgnition(bytes: Uint8Array): ParsedIgnition {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const base64 = readBase64(text.toString('latin1'))
  if (base64.kind === 'corrupt')
    return looksLikeGzip(bytes) ? unzipped(bytes, '') : parseIgnition(text.toString('utf8'))
  const step = 'unable to decode and decompress payload: '
  if (base64.bytes.length < 2) return unreadable(`${step}could not peek: ${base64.cutOff ? 'unexpected EOF' : 'EOF'}`)
  if (!looksLikeGzip(base64.bytes)) return parseIgnition(text.toString('utf8'))
  return base64.cutOff ? unreadable(`${step}decompression failed: unexpected EOF`) : unzipped(base64.bytes, step)
}

type Base64 =
  | { readonly kind: 'corrupt' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly cutOff: boolean }

/** Line breaks are skipped. Whole groups are judged first: up to three characters at the end only mean "cut off". */
function readBase64(text: string): Base64 {
  const characters = text.replace(/[\r\n]/g, '')
  const whole = characters.slice(0, characters.length - (characters.length % 4))
  if (base64FaultAt(whole) !== undefined) return { kind: 'corrupt' }
  return { kind: 'bytes', bytes: Buffer.from(whole, 'base64'), cutOff: whole.length < characters.length }
}

/** One right byte of the two is enough to call it gzip, and then to complain about it: the original's test. */
const looksLikeGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f || bytes[1] === 0x8b

const maxConfigBytes = 64 * 1024 * 1024

function unzipped(bytes: Uint8Array, step: string): ParsedIgnition {
  const unpacked = gunzip(bytes, { maxBytes: maxConfigBytes })
  if (unpacked.ok) return parseIgnition(Buffer.from(unpacked.bytes).toString('utf8'))
  const failure = unpacked.step === 'open' ? 'initialize gzip reader failed' : 'decompression failed'
  return unreadable(`${step}${failure}: ${unpacked.message}`)
}

const unreadable = (message: string): ParsedIgnition => ({
  issues: [{ severity: 'error', path: '$', message: `expected JSON, gzip or base64 of gzip: ${message}` }],
  wireError: `unable to read ignition config: ${message}`,
  stage: 'unwrap',
})
