/**
 * Where the members of a valid JSON text stand. The text is fetched and scanned only when an issue needs a place: parsing
 * itself keeps no positions.
 */
export class Positions {
  private readonly textOf: () => string
  private fetched: string | undefined
  private root: Place | undefined

  constructor(textOf: () => string) {
    this.textOf = textOf
  }

  get text(): string {
    this.fetched ??= this.textOf()
    return this.fetched
  }

  /** The place of a member, or of its nearest ancestor that the text holds. */
  nearest(path: readonly (string | number)[]): Nearest {
    this.root ??= scan(this.text)
    let place = this.root
    for (const step of path) {
      const next = place.children?.get(step)
      if (next === undefined) return { place, exact: false }
      place = next
    }
    return { place, exact: true }
  }

  lineColumn(offset: number): LineColumn {
    return lineColumn(this.text, offset)
  }
}

export interface Nearest {
  readonly place: Span
  readonly exact: boolean
}

/** UTF-16 indices; `end` is exclusive. */
interface Span {
  readonly start: number
  readonly end: number
  /** An object or a list. */
  readonly isContainer: boolean
}

export interface LineColumn {
  readonly line: number
  readonly column: number
  /** The column counted in UTF-8 bytes, as the wire texts do. */
  readonly byteColumn: number
}

export function lineColumn(text: string, offset: number): LineColumn {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < lineStart; at = text.indexOf('\n', at + 1)) line += 1
  const before = text.slice(lineStart, offset)
  return { line, column: before.length + 1, byteColumn: Buffer.byteLength(before) + 1 }
}

interface Place extends Span {
  readonly children?: ReadonlyMap<string | number, Place>
}

/** One pass over a text that is known to be valid JSON. */
function scan(text: string): Place {
  let at = 0
  const skipSpace = (): void => {
    while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1
  }
  const skipString = (): string => {
    const start = at
    at += 1
    while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
    at += 1
    const raw = text.slice(start, at)
    return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
  }
  const members = (
    close: string,
    read: (index: number, children: Map<string | number, Place>) => void,
  ): Map<string | number, Place> => {
    const children = new Map<string | number, Place>()
    at += 1
    skipSpace()
    for (let index = 0; at < text.length && text.charAt(at) !== close; index += 1) {
      read(index, children)
      skipSpace()
      if (text.charAt(at) === ',') at += 1
      skipSpace()
    }
    at += 1
    return children
  }
  const value = (): Place => {
    skipSpace()
    const start = at
    switch (text.charAt(at)) {
      case '{': {
        const children = members('}', (_index, into) => {
          const key = skipString()
          skipSpace()
          at += 1
          into.set(key, value())
        })
        return { start, end: at, isContainer: true, children }
      }
      case '[': {
        const children = members(']', (index, into) => into.set(index, value()))
        return { start, end: at, isContainer: true, children }
      }
      case '"':
        skipString()
        return { start, end: at, isContainer: false }
      default:
        while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at += 1
        return { start, end: at, isContainer: false }
    }
  }
  return value()
}
