import { sniffMediaType } from './mediaType.ts'

/**
 * Data URLs (RFC 2397), read as strictly as the reference does: every writer of a config goes through this parser, so a
 * content that it refuses can never reach a node. Errors carry the reference's wording.
 */
export function parseDataUrl(url: string): DataUrlResult {
  const header = readHeader(url)
  if (typeof header === 'string') return { ok: false, message: header }
  const payload = url.slice(header.end)
  const decoded = header.isBase64 ? decodeBase64Payload(payload) : decodePercentPayload(payload)
  return typeof decoded === 'string' ? { ok: false, message: decoded } : { ok: true, bytes: decoded }
}

export type DataUrlResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string }

/** Would `parseDataUrl` accept it? The message otherwise. Decodes nothing: contents may be large. */
export function dataUrlFault(url: string): string | undefined {
  const header = readHeader(url)
  if (typeof header === 'string') return header
  const payload = url.slice(header.end)
  return header.isBase64 ? base64Fault(payload) : percentFault(payload)
}

/** Base64 with a sniffed media type: `data:text/plain;charset=utf-8;base64,aGVsbG8=`. */
export const encodeBase64DataUrl = (bytes: Uint8Array): string =>
  `data:${sniffMediaType(bytes)};base64,${Buffer.from(bytes).toString('base64')}`

/** Percent form: `data:,hello%20world%0A`. */
export const encodePercentDataUrl = (bytes: Uint8Array): string => `data:,${percentEncode(bytes)}`

/** Letters, digits and ``- _ . ! ~ * ' ( )`` stay, every other byte becomes `%XX`. */
export function percentEncode(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += percentTable[byte] ?? ''
  return text
}

const percentTable: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte)
  return /[A-Za-z0-9\-_.!~*'()]/.test(char) && byte < 0x80
    ? char
    : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

interface Header {
  readonly isBase64: boolean
  /** Where the payload starts. */
  readonly end: number
}

/** The reference looks only at how a type begins. */
const knownType = /^(x-|text|image|audio|video|application|message|multipart)/

/** RFC 2045 tokens: printable ASCII without blanks and these separators. */
const isToken = (char: string): boolean => char > ' ' && char < '\u007f' && !'()<>@,;:\\"/[]?='.includes(char)

function readHeader(url: string): Header | string {
  if (!url.startsWith('data:')) return 'missing data prefix'
  const first = url.charAt(5)
  if (first === '') return 'missing comma before data'
  if (first === ',') return { isBase64: false, end: 6 }
  if (first === ';') return readParameters(url, 5)
  if (!isToken(first)) return 'invalid character after data prefix'
  return readMediaType(url)
}

function readMediaType(url: string): Header | string {
  let at = 5
  while (isTokenAt(url, at)) at += 1
  if (at >= url.length) return 'missing media type slash'
  if (url.charAt(at) !== '/') return 'invalid character for media type'
  const type = url.slice(5, at)
  if (!knownType.test(type) && !type.startsWith('X-')) return 'invalid media type'
  at += 1
  while (isTokenAt(url, at)) at += 1
  if (at >= url.length) return 'incomplete media type'
  const next = url.charAt(at)
  if (next === ',') return { isBase64: false, end: at + 1 }
  return next === ';' ? readParameters(url, at) : 'invalid character for media subtype'
}

/** `at` stands on a semicolon. Only the last parameter may lack a value, and then it must be `base64`. */
function readParameters(url: string, start: number): Header | string {
  for (let at = start; ; ) {
    const name = at + 1
    at = name
    while (isTokenAt(url, at)) at += 1
    const next = url.charAt(at)
    if (next === '' || (at === name && (next === '=' || next === ','))) return 'unterminated parameter sequence'
    if (next === ',') {
      const word = url.slice(name, at)
      return word === 'base64' ? { isBase64: true, end: at + 1 } : `expected base64, got ${word}`
    }
    if (next !== '=') return 'invalid character for parameter attribute'
    const end = url.charAt(at + 1) === '"' ? quotedEnd(url, at + 2) : tokenEnd(url, at + 1)
    if (typeof end === 'string') return end
    at = end
    if (at >= url.length) return 'missing comma before data'
    if (url.charAt(at) === ',') return { isBase64: false, end: at + 1 }
    if (url.charAt(at) !== ';') return 'expected semicolon or comma'
  }
}

function tokenEnd(url: string, start: number): number | string {
  let at = start
  while (isTokenAt(url, at)) at += 1
  if (at >= url.length) return 'missing comma before data'
  if (at === start || !';,'.includes(url.charAt(at))) return 'invalid character for parameter value'
  return at
}

function quotedEnd(url: string, start: number): number | string {
  for (let at = start; at < url.length; at += 1) {
    const char = url.charAt(at)
    if (char === '"') return at + 1
    if (char > '\u007f') return 'invalid character for parameter value'
    if (char !== '\\') continue
    at += 1
    if (at >= url.length) return 'unexpected eof'
    if (url.charAt(at) > '\u007f') return 'invalid escaped character'
  }
  return 'unclosed quoted string'
}

const isTokenAt = (url: string, at: number): boolean => at < url.length && isToken(url.charAt(at))

// Printable ASCII except blanks and ` < > # " { } | \ ^ [ ] and the backquote.
const plainPayload = /^[!$%&'()*+,\-./0-9:;=?@A-Z_a-z~]*$/

function percentFault(payload: string): string | undefined {
  if (!plainPayload.test(payload)) return 'invalid data character'
  const broken = /%(?![0-9A-Fa-f]{2})/.exec(payload)
  if (!broken) return undefined
  return /^%[0-9A-Fa-f]?$/.test(payload.slice(broken.index))
    ? 'rfc2396: unexpected end of unescape sequence'
    : 'rfc2396: invalid char 0x25 in unescape sequence'
}

function decodePercentPayload(payload: string): Uint8Array | string {
  const fault = percentFault(payload)
  if (fault !== undefined) return fault
  if (!payload.includes('%')) return Buffer.from(payload, 'latin1')
  return Buffer.from(
    payload.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function base64Fault(payload: string): string | undefined {
  if (!/^[A-Za-z0-9+/=\r\n]*$/.test(payload)) return 'invalid data character'
  const at = base64FaultAt(payload)
  return at === undefined ? undefined : `illegal base64 data at input byte ${at}`
}

function decodeBase64Payload(payload: string): Uint8Array | string {
  const bytes = Buffer.from(payload, 'base64')
  // What encodes back to the same text has no fault; native code finds that sooner than the patterns do.
  return bytes.toString('base64') === payload ? bytes : (base64Fault(payload) ?? bytes)
}

/**
 * Where Go's base64 decoder gives up (standard alphabet, padding required, line breaks skipped), or undefined.
 * An incomplete last group is reported at its start, a wrong character or padding at its own place.
 */
export function base64FaultAt(text: string): number | undefined {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined
  let inGroup = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '\n' || char === '\r') continue
    if (char === '=') return paddingFaultAt(text, at, inGroup)
    if (!/[A-Za-z0-9+/]/.test(char)) return at
    inGroup = (inGroup + 1) % 4
  }
  return inGroup === 0 ? undefined : text.length - inGroup
}

function paddingFaultAt(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) return at
  let next = skipBreaks(text, at + 1)
  if (inGroup === 2) {
    if (next >= text.length) return text.length
    if (text.charAt(next) !== '=') return next
    next = skipBreaks(text, next + 1)
  }
  return next < text.length ? next : undefined
}

function skipBreaks(text: string, start: number): number {
  let at = start
  while (text.charAt(at) === '\n' || text.charAt(at) === '\r') at += 1
  return at
}
