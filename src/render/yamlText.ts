import { looksLikeOtherType } from './yamlLookalike.ts'

/** Where a text is written. */
export interface TextPlace {
  /** Indent of continuation lines: that of the enclosing collection plus 2. */
  readonly indent: number
  /** Characters already on the line, the blank before the text included. */
  readonly column: number
  /** A key before `:` stays on one line. */
  readonly foldable: boolean
}

/**
 * One string as YAML 1.1, in the one style and folding that the rendered name depends on (spec: render 8.3 to 8.5).
 * Costs a pass over the text; texts without blanks and special characters (paths, data URLs) leave after one regular expression.
 */
export function writeYamlText(text: string, place: TextPlace): string {
  if (isSimpleWord(text)) return text
  const traits = traitsOf(text)
  switch (styleOf(text, traits)) {
    case 'literal':
      return writeLiteral(text, place)
    case 'plain':
      return foldBlanks(text, place, '')
    case 'single':
      return writeSingleQuoted(text, place)
    case 'double':
      return writeDoubleQuoted(text, place)
  }
}

/**
 * The text as the original's YAML reader takes it from JSON: it folds an unescaped next-line character (U+0085) like a
 * line break in a double-quoted text, blanks around it included.
 */
export function foldNextLines(text: string): string {
  if (!text.includes('\u0085')) return text
  return text.replaceAll(/ *\u0085[ \u0085]*/g, (run) => {
    const breaks = run.split('\u0085').length - 1
    return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
  })
}

/** True for characters that the original's YAML reader refuses: DEL, C1 controls other than U+0085, U+FFFE, U+FFFF. */
export const hasUnreadableCharacter = (text: string): boolean => /[\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(text)

/** Spans more than one line in the sense of YAML 1.1: such a text cannot be a key before `:`. */
export const hasLineBreak = (text: string): boolean => /[\n\r\u0085\u2028\u2029]/.test(text)

// Printable ASCII without blanks, starting with a letter, `/` or `_`, not ending in a colon: plain, and never folded.
const isSimpleWord = (text: string): boolean =>
  simpleWord.test(text) && !text.endsWith(':') && !looksLikeOtherType(text)
const simpleWord = /^[A-Za-z/_][\x21-\x7e]*$/

interface Traits {
  readonly unprintable: boolean
  readonly lineBreak: boolean
  readonly blankAtEnds: boolean
  readonly trailingSpace: boolean
  readonly spaceBeforeBreak: boolean
  readonly spaceAfterBreak: boolean
  readonly indicator: boolean
}

const unprintable = /[^\n\x20-\x7e\xa0-\ufffd]|[\ud800-\udbff][\udc00-\udfff]|\ufeff/
const isBreak = /[\n\r\u0085\u2028\u2029]/

function traitsOf(text: string): Traits {
  return {
    unprintable: unprintable.test(text),
    lineBreak: isBreak.test(text),
    blankAtEnds: isSpaceOrBreak(text.charAt(0)) || isSpaceOrBreak(text.charAt(text.length - 1)),
    trailingSpace: text.endsWith(' '),
    spaceBeforeBreak: / [\n\r\u0085\u2028\u2029]/.test(text),
    spaceAfterBreak: /[\n\r\u0085\u2028\u2029] /.test(text),
    indicator:
      startsWithIndicator(text) || /:(?:[ \t\n\r\u0085\u2028\u2029\0]|$)|[ \t\n\r\u0085\u2028\u2029\0]#/.test(text),
  }
}

const isSpaceOrBreak = (char: string): boolean => char === ' ' || isBreak.test(char)

const startsWithIndicator = (text: string): boolean =>
  /^(?:---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-](?:[ \t\n\r\u0085\u2028\u2029\0]|$))/.test(text)

function styleOf(text: string, traits: Traits): 'plain' | 'single' | 'double' | 'literal' {
  if (text.includes('\n')) {
    return traits.trailingSpace || traits.spaceBeforeBreak || traits.unprintable ? 'double' : 'literal'
  }
  if (looksLikeOtherType(text)) return 'double'
  if (traits.unprintable || traits.spaceBeforeBreak || traits.spaceAfterBreak) return 'double'
  return traits.lineBreak || traits.blankAtEnds || traits.indicator ? 'single' : 'plain'
}

/**
 * Lines break at a blank beyond column 80 that stands alone. `quote` is set for single quotes: then the first and the
 * last character are never replaced. Columns count characters; every character here is one UTF-16 unit wide.
 */
function foldBlanks(text: string, { indent, column, foldable }: TextPlace, quote: string): string {
  if (!foldable || column + text.length <= 80) return text
  const newline = `\n${' '.repeat(indent)}`
  let out = ''
  let from = 0
  let lineStart = -column
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
    if (at - lineStart <= 80 || text[at - 1] === ' ' || text[at + 1] === ' ') continue
    if (quote !== '' && (at === 0 || at === text.length - 1)) continue
    out += text.slice(from, at) + newline
    from = at + 1
    lineStart = from - indent
  }
  return out + text.slice(from)
}

function writeSingleQuoted(text: string, place: TextPlace): string {
  if (!text.includes("'") && !isBreak.test(text)) {
    return `'${foldBlanks(text, { ...place, column: place.column + 1 }, "'")}'`
  }
  const pad = ' '.repeat(place.indent)
  let out = "'"
  let column = place.column + 1
  let previous = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const inside = at > 0 && at < text.length - 1
    if (char === ' ' && place.foldable && inside && column > 80 && previous !== ' ' && text[at + 1] !== ' ') {
      out += `\n${pad}`
      column = place.indent
    } else if (isBreak.test(char)) {
      out += char
      column = 0
    } else {
      if (column < place.indent && isBreak.test(previous)) {
        out += pad
        column = place.indent
      }
      out += char === "'" ? "''" : char
      column += char === "'" ? 2 : 1
    }
    previous = char
  }
  return `${out}'`
}

function writeLiteral(text: string, { indent }: TextPlace): string {
  const pad = ' '.repeat(indent)
  const leading = isSpaceOrBreak(text.charAt(0)) ? '2' : ''
  const trailing = !isBreak.test(text.charAt(text.length - 1))
    ? '-'
    : text.length === 1 || isBreak.test(text.charAt(text.length - 2))
      ? '+'
      : ''
  // A line separator inside the text counts as a break for the writer: the next character is indented.
  const body = text.replaceAll(/([\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, `$1${pad}`)
  return `|${leading}${trailing}\n${isBreak.test(text.charAt(0)) ? '' : pad}${body}`
}

const shortEscapes: Readonly<Record<number, string>> = {
  0: '\\0',
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  27: '\\e',
  34: '\\"',
  92: '\\\\',
  133: '\\N',
  160: '\\_',
  8232: '\\L',
  8233: '\\P',
}

function writeDoubleQuoted(text: string, { indent, column: start, foldable }: TextPlace): string {
  // The original looks for a byte order mark at the start of the text, whichever character it is at.
  const escapeAll = text.startsWith('\ufeff')
  const newline = `\n${' '.repeat(indent)}`
  let out = '"'
  let column = start + 1
  let spaces = false
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code > 0xffff) at++
    if (escapeAll || mustEscape(code)) {
      const escaped = escapeOf(code)
      out += escaped
      column += escaped.length
      spaces = false
    } else if (code === 0x20) {
      if (foldable && !spaces && column > 80 && at > 0 && at < text.length - 1) {
        out += text[at + 1] === ' ' ? `${newline}\\` : newline
        column = indent + (text[at + 1] === ' ' ? 1 : 0)
      } else {
        out += ' '
        column++
      }
      spaces = true
    } else {
      out += String.fromCharCode(code)
      column++
      spaces = false
    }
  }
  return `${out}"`
}

function mustEscape(code: number): boolean {
  if (code === 0x22 || code === 0x5c) return true
  if (code < 0x7f) return code < 0x20
  return code < 0xa0 || code === 0x2028 || code === 0x2029 || code === 0xfeff || code > 0xfffd
}

function escapeOf(code: number): string {
  const hex = code.toString(16).toUpperCase()
  return (
    shortEscapes[code] ??
    (code <= 0xff
      ? `\\x${hex.padStart(2, '0')}`
      : code <= 0xffff
        ? `\\u${hex.padStart(4, '0')}`
        : `\\U${hex.padStart(8, '0')}`)
  )
}
