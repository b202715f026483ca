/**
 * One step of a field path, in the text form of managedFields (public docs, "Server-Side Apply", "Field management"):
 * `f:NAME` a field or map entry, `k:{...}` a list item by its keys, `v:VALUE` a member of a set, `i:N` a list position.
 * The text form is also the identity, so steps are plain strings.
 */
export type PathElement = string

export const fieldElement = (name: string): PathElement => `f:${name}`
export const valueElement = (value: unknown): PathElement => `v:${JSON.stringify(value)}`

/** Keys are written in the order of their names, whatever order the schema has. */
export function keyElement(keys: Readonly<Record<string, unknown>>): PathElement {
  const entries = Object.entries(keys)
  const sorted = entries.length > 1 ? Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) : keys
  return `k:${JSON.stringify(sorted)}`
}

export const isPathElement = (text: string): boolean => /^[fkvi]:/.test(text)

const kinds = 'fkvi'

/** Fields before keys before values before positions, each by text: the order in which sets are written. */
export function compareElements(a: PathElement, b: PathElement): number {
  const byKind = kinds.indexOf(a.charAt(0)) - kinds.indexOf(b.charAt(0))
  return byKind !== 0 ? byKind : a < b ? -1 : a > b ? 1 : 0
}

/** As conflicts print it: `.spec.containers[name="a"].image`. */
export function pathText(path: readonly PathElement[]): string {
  return path.map(elementText).join('')
}

function elementText(element: PathElement): string {
  const text = element.slice(2)
  switch (element.charAt(0)) {
    case 'f':
      return `.${text}`
    case 'k': {
      const keys = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>)
      return `[${keys.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',')}]`
    }
    case 'v':
      return `[=${text}]`
    default:
      return `[${text}]`
  }
}
