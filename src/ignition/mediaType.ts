/**
 * The media type that the original gives to a content when it writes a data URL: the MIME Sniffing standard as Go's
 * `net/http` applies it, without the blank behind the semicolon. It is part of generated configs, and so of their names.
 */
export function sniffMediaType(bytes: Uint8Array): string {
  const head = bytes.subarray(0, sniffedBytes)
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  const markup = text.trimStart().toLowerCase()
  if (markupTags.some((tag) => markup.startsWith(tag) && /^[ >]/.test(markup.slice(tag.length))))
    return 'text/html;charset=utf-8'
  if (text.trimStart().startsWith('<?xml')) return 'text/xml;charset=utf-8'
  const known = signatures.find(([pattern]) => pattern.test(text))
  if (known) return known[1]
  return isBinary.test(text) ? 'application/octet-stream' : 'text/plain;charset=utf-8'
}

const sniffedBytes = 512

const markupTags = [
  '<!doctype html',
  '<html',
  '<head',
  '<script',
  '<iframe',
  '<h1',
  '<div',
  '<font',
  '<table',
  '<a',
  '<style',
  '<title',
  '<b',
  '<body',
  '<br',
  '<p',
  '<!--',
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters of the standard's "binary data byte"
const isBinary = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: file signatures are bytes
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\xfe\xff[\s\S]{2}/, 'text/plain;charset=utf-16be'],
  [/^\xff\xfe[\s\S]{2}/, 'text/plain;charset=utf-16le'],
  [/^\xef\xbb\xbf[\s\S]/, 'text/plain;charset=utf-8'],
  [/^\x00\x00[\x01\x02]\x00/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\s\S]{4}WEBPVP/, 'image/webp'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^FORM[\s\S]{4}AIFF/, 'audio/aiff'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\x00/, 'application/ogg'],
  [/^MThd\x00\x00\x00\x06/, 'audio/midi'],
  [/^RIFF[\s\S]{4}AVI /, 'video/avi'],
  [/^RIFF[\s\S]{4}WAVE/, 'audio/wave'],
  [/^\x1aE\xdf\xa3/, 'video/webm'],
  [/^\x00\x01\x00\x00/, 'font/ttf'],
  [/^OTTO/, 'font/otf'],
  [/^ttcf/, 'font/collection'],
  [/^wOFF/, 'font/woff'],
  [/^wOF2/, 'font/woff2'],
  [/^\x1f\x8b\x08/, 'application/x-gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(\x00|\x01\x00)/, 'application/x-rar-compressed'],
  [/^\x00asm/, 'application/wasm'],
]
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end of the signatures
