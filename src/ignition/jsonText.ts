/**
 * Strict JSON (RFC 8259) with what `JSON.parse` hides: the place and wording of a syntax error as the Go standard
 * library reports them (these texts reach the wire), repeated keys, and integers beyond 2^53 (kept as bigint).
 * Never throws. One parser, read top-down, whose parts share a position. Lone surrogates become U+FFFD, as in Go.
 */
export function parseJson(text: string, options: JsonOptions = {}): JsonResult {
  const reader = new Reader(text, options)
  try {
    return { ok: true, value: reader.document() }
  } catch (error) {
    if (error instanceof JsonSyntaxError) return { ok: false, message: error.message, offset: error.offset }
    throw error
  }
}

export interface JsonOptions {
  /** Numbers that are not written as integers (`420.0`, `4e2`) come as `JsonNumber` instead of `number`. */
  readonly keepFractions?: boolean
  /** Objects under a repeated key become one, and a later null changes nothing: how Go reads into a struct. */
  readonly joinRepeated?: boolean
  /** Called for a key that stands twice in one object; the last value wins. */
  readonly onRepeatedKey?: (key: string, offset: number) => void
}

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  /** `offset` is the UTF-16 index right behind the character at fault, like Go's `SyntaxError.Offset`. */
  | { readonly ok: false; readonly message: string; readonly offset: number }

const twoTo53 = 2n ** 53n

/** A number where that is exact, a bigint beyond. */
export const smallestNumber = (exact: bigint): number | bigint =>
  exact >= -twoTo53 && exact <= twoTo53 ? Number(exact) : exact

/** A number as written; Go refuses `420.0` for an integer member, and says so with the literal. */
export class JsonNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * Deeper documents are refused: nobody nests that far, and a regular expression that is compiled close to the end of the
 * stack aborts the whole process.
 */
const maxDepth = 400

class JsonSyntaxError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const integer = /^-?\d+$/
const safeDigits = 15

class Reader {
  private readonly text: string
  private readonly options: JsonOptions
  private at = 0
  private depth = 0

  constructor(text: string, options: JsonOptions) {
    this.text = text
    this.options = options
  }

  document(): unknown {
    const value = this.value()
    this.skipSpace()
    if (this.at < this.text.length) throw this.unexpected('after top-level value')
    return value
  }

  private value(): unknown {
    this.skipSpace()
    switch (this.text.charCodeAt(this.at)) {
      case 0x22:
        return this.string()
      case 0x7b:
        return this.nested(() => this.object())
      case 0x5b:
        return this.nested(() => this.array())
      case 0x74:
        return this.literal('true', true)
      case 0x66:
        return this.literal('false', false)
      case 0x6e:
        return this.literal('null', null)
      default:
        return this.number()
    }
  }

  private nested<T>(read: () => T): T {
    this.depth += 1
    if (this.depth > maxDepth) throw new JsonSyntaxError('exceeded max depth', this.at + 1)
    const value = read()
    this.depth -= 1
    return value
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.at += 1
    this.skipSpace()
    if (this.take(0x7d)) return object
    for (;;) {
      this.skipSpace()
      if (this.text.charCodeAt(this.at) !== 0x22) throw this.unexpected('looking for beginning of object key string')
      const start = this.at
      const key = this.string()
      this.skipSpace()
      if (!this.take(0x3a)) throw this.unexpected('after object key')
      if (this.options.onRepeatedKey && Object.hasOwn(object, key)) this.options.onRepeatedKey(key, start)
      const value =
        this.options.joinRepeated && Object.hasOwn(object, key) ? joined(object[key], this.value()) : this.value()
      // Plain assignment to this one key would change the prototype.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      else object[key] = value
      this.skipSpace()
      if (this.take(0x7d)) return object
      if (!this.take(0x2c)) throw this.unexpected('after object key:value pair')
    }
  }

  private array(): unknown[] {
    const array: unknown[] = []
    this.at += 1
    this.skipSpace()
    if (this.take(0x5d)) return array
    for (;;) {
      array.push(this.value())
      this.skipSpace()
      if (this.take(0x5d)) return array
      if (!this.take(0x2c)) throw this.unexpected('after array element')
    }
  }

  private string(): string {
    const start = this.at
    const end = closingQuote(this.text, start)
    if (end < 0) throw this.brokenString(start)
    const raw = this.text.slice(start + 1, end)
    const plain = !raw.includes('\\') && !hasControl(raw)
    let value = raw
    if (!plain) {
      try {
        value = JSON.parse(this.text.slice(start, end + 1)) as string
      } catch (error) {
        throw this.brokenString(start, error)
      }
    }
    this.at = end + 1
    return value.replace(loneSurrogate, '\ufffd')
  }

  /** Walks a string that is known to be broken, to the first character at fault. */
  private brokenString(start: number, cause?: unknown): JsonSyntaxError {
    for (let at = start + 1; at < this.text.length; at += 1) {
      const code = this.text.charCodeAt(at)
      if (code === 0x22) break
      if (code < 0x20) return this.unexpectedAt(at, 'in string literal')
      if (code !== 0x5c) continue
      at += 1
      if (at >= this.text.length) break
      if (!'"\\/bfnrtu'.includes(this.text.charAt(at))) return this.unexpectedAt(at, 'in string escape code')
      if (this.text.charAt(at) !== 'u') continue
      for (let digit = 0; digit < 4; digit += 1) {
        at += 1
        if (at >= this.text.length) return this.ended()
        if (!/[0-9a-fA-F]/.test(this.text.charAt(at))) {
          return this.unexpectedAt(at, 'in \\u hexadecimal character escape')
        }
      }
    }
    if (cause !== undefined) throw new Error(`no fault found in the string at offset ${start}`, { cause })
    return this.ended()
  }

  private number(): unknown {
    number.lastIndex = this.at
    const literal = number.exec(this.text)?.[0]
    if (literal === undefined) throw this.brokenNumber()
    this.at += literal.length
    const next = this.text.charAt(this.at)
    if (next === '.') throw this.unexpectedAt(this.at + 1, 'after decimal point in numeric literal')
    if (next === 'e' || next === 'E') {
      const sign = /[+-]/.test(this.text.charAt(this.at + 1)) ? 1 : 0
      throw this.unexpectedAt(this.at + 1 + sign, 'in exponent of numeric literal')
    }
    if (!integer.test(literal)) return this.options.keepFractions ? new JsonNumber(literal) : Number(literal)
    if (literal.length <= safeDigits) return Number(literal)
    return smallestNumber(BigInt(literal))
  }

  private brokenNumber(): JsonSyntaxError {
    if (this.text.charAt(this.at) === '-') return this.unexpectedAt(this.at + 1, 'in numeric literal')
    return this.unexpected('looking for beginning of value')
  }

  private literal<T>(word: string, value: T): T {
    for (let index = 1; index < word.length; index += 1) {
      if (this.text.charAt(this.at + index) === word.charAt(index)) continue
      throw this.unexpectedAt(this.at + index, `in literal ${word} (expecting '${word.charAt(index)}')`)
    }
    this.at += word.length
    return value
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false
    this.at += 1
    return true
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at += 1
    }
  }

  private unexpected(where: string): JsonSyntaxError {
    return this.unexpectedAt(this.at, where)
  }

  private unexpectedAt(at: number, where: string): JsonSyntaxError {
    if (at >= this.text.length) return this.ended()
    return new JsonSyntaxError(`invalid character ${quoteFirstByte(this.text, at)} ${where}`, at + 1)
  }

  private ended(): JsonSyntaxError {
    return new JsonSyntaxError('unexpected end of JSON input', this.text.length)
  }
}

function joined(earlier: unknown, later: unknown): unknown {
  if (later === null) return earlier
  if (!isPlainObject(earlier) || !isPlainObject(later)) return later
  const result = { ...earlier }
  for (const [key, value] of Object.entries(later)) {
    result[key] = Object.hasOwn(earlier, key) ? joined(earlier[key], value) : value
  }
  return result
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)

const loneSurrogate = /\p{Surrogate}/gu

/** The quote that ends the string that starts at `start`, or -1. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 0x5c && end - 1 - escapes > start) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return -1
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings must not hold them, that is the point
const hasControl = (text: string): boolean => /[\u0000-\u001f]/.test(text)

/** Go works on bytes: the character named in a message is the first UTF-8 byte of ours, quoted as a rune. */
function quoteFirstByte(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0
  const byte =
    point < 0x80
      ? point
      : point < 0x800
        ? 0xc0 | (point >> 6)
        : point < 0x10000
          ? 0xe0 | (point >> 12)
          : 0xf0 | (point >> 18)
  if (byte === 0x27) return "'\\''"
  if (byte === 0x22) return "'\"'"
  const named = namedBytes[byte]
  if (named !== undefined) return `'${named}'`
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`
  return `'${String.fromCharCode(byte)}'`
}

const namedBytes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  92: '\\\\',
}
