import { compareYamlKeys } from './yamlKeyOrder.ts'
import { foldNextLines, hasLineBreak, hasUnreadableCharacter, type TextPlace, writeYamlText } from './yamlText.ts'

/** What a MachineConfig spec is made of. Integers above 2^53 are `bigint`, so that none loses digits. */
export type YamlValue = null | boolean | number | bigint | string | readonly YamlValue[] | YamlMap
export interface YamlMap {
  readonly [key: string]: YamlValue | undefined
}

/** Refusal: the text of the original, and where the offending text stands (never the text itself). */
export interface Unwritable {
  readonly error: string
  readonly path: string
}

/**
 * A MachineConfig spec as the exact YAML bytes that its rendered name hashes: sorted keys, two-space indent, dashes at the
 * column of their key, folding at column 80 (spec: render 8). Members that are `undefined` are absent.
 * Own code instead of a library: each byte decides the name that every node compares.
 */
export function specYaml(spec: YamlMap): { readonly yaml: string } | Unwritable {
  const writer = new Writer()
  writer.map(spec, 0, '$', true)
  writer.newline(0)
  return writer.unwritable ?? { yaml: writer.out }
}

/** How a value stands after `:` or `-`: a collection continues the line (`inline`) or starts on the next one. */
interface Nesting {
  readonly inline: boolean
  readonly indent: number
  readonly listIndent: number
}

class Writer {
  out = ''
  unwritable: Unwritable | undefined
  /** A literal block ends with its own line break. Kept as a flag: reading the end of a growing string copies it each time. */
  private atLineStart = false

  map(map: YamlMap, indent: number, path: string, inline: boolean): void {
    let first = inline
    for (const key of Object.keys(map).sort(compareYamlKeys)) {
      const value = map[key]
      if (value === undefined) continue
      if (!first) this.newline(indent)
      first = false
      this.entry(key, value, indent, `${path}.${key}`)
    }
  }

  newline(indent: number): void {
    this.out += (this.atLineStart ? '' : '\n') + ' '.repeat(indent)
    this.atLineStart = false
  }

  private entry(key: string, value: YamlValue, indent: number, path: string): void {
    const inner = indent + 2
    this.check(key, path)
    // The original's reader ends a line at a next-line character, and a key cannot go on over a line's end.
    if (key.includes('\u0085')) this.refuse("yaml: line 1: did not find expected ',' or '}'", path)
    if (Buffer.byteLength(key) <= 128 && !hasLineBreak(key)) {
      const written = writeYamlText(key, { indent: inner, column: indent, foldable: false })
      this.out += `${written}:`
      this.value(value, indent + [...written].length + 2, { inline: false, indent: inner, listIndent: indent }, path)
      return
    }
    this.out += '? '
    this.text(key, { indent: inner, column: inner, foldable: true })
    this.newline(indent)
    this.out += ':'
    this.value(value, inner, { inline: true, indent: inner, listIndent: inner }, path)
  }

  private value(value: YamlValue, column: number, nesting: Nesting, path: string): void {
    if (typeof value === 'string') {
      this.out += ' '
      this.check(value, path)
      this.text(foldNextLines(value), { indent: nesting.indent, column, foldable: true })
    } else if (typeof value !== 'object' || value === null) {
      this.out += ` ${writeScalar(value)}`
    } else if (isList(value)) {
      if (value.length === 0) this.out += ' []'
      else this.list(value, nesting.listIndent, path, nesting.inline)
    } else if (Object.values(value).every((member) => member === undefined)) {
      this.out += ' {}'
    } else {
      if (nesting.inline) this.out += ' '
      else this.newline(nesting.indent)
      this.map(value, nesting.indent, path, true)
    }
  }

  private list(items: readonly YamlValue[], indent: number, path: string, inline: boolean): void {
    const nesting = { inline: true, indent: indent + 2, listIndent: indent + 2 }
    items.forEach((item, index) => {
      if (index === 0 && inline) this.out += ' '
      else this.newline(indent)
      this.out += '-'
      this.value(item, indent + 2, nesting, `${path}[${index}]`)
    })
  }

  private text(text: string, place: TextPlace): void {
    const written = writeYamlText(text, place)
    this.out += written
    this.atLineStart = hasLineBreak(written.charAt(written.length - 1))
  }

  private check(text: string, path: string): void {
    if (hasUnreadableCharacter(text)) this.refuse('yaml: control characters are not allowed', path)
    // Behind a next-line character the original's reader takes these for the border of a document.
    if (/\u0085(?:---|\.\.\.)[ \u0085]/.test(text)) this.refuse('yaml: found unexpected document indicator', path)
  }

  private refuse(why: string, path: string): void {
    this.unwritable ??= { error: `error converting JSON to YAML: ${why}`, path }
  }
}

const isList = (value: readonly YamlValue[] | YamlMap): value is readonly YamlValue[] => Array.isArray(value)

function writeScalar(value: null | boolean | number | bigint): string {
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value === 'bigint') return writeInteger(value)
  return String(value)
}

function writeInteger(value: bigint): string {
  return value >= -(1n << 63n) && value < 1n << 64n ? value.toString() : writeFloat(Number(value))
}

/** An unsafe integer that arrives as a double was a float in the document: integers above 2^53 arrive as `bigint`. */
const writeNumber = (value: number): string => (Number.isSafeInteger(value) ? String(value + 0) : writeFloat(value))

/** Shortest digits that read back equal; exponents below -4 and from 6 up take the exponent form, two digits at least. */
function writeFloat(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value)
  return `${digits}e${exponent.charAt(0)}${exponent.slice(1).padStart(2, '0')}`
}
