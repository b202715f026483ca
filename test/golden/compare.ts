/**
 * Compares an answer of ours with a recorded one: JSON values, where `null`, `[]` and an absent member mean the same
 * (golden README). Returns the first differing places as `path: expected X, got Y`.
 */
export function differences(expected: unknown, actual: unknown, rules: CompareRules, path = '$'): string[] {
  if (matches(rules.refusalOnly, path)) {
    return isNothing(expected) === isNothing(actual) ? [] : [`${path}: expected ${show(expected)}, got ${show(actual)}`]
  }
  if (isNothing(expected) && isNothing(actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      return [`${path}: expected ${expected.length} items ${show(expected)}, got ${actual.length} ${show(actual)}`]
    }
    return expected.flatMap((item, index) => differences(item, actual[index], rules, `${path}[${index}]`))
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort()
    return keys.flatMap((key) => differences(expected[key], actual[key], rules, `${path}.${key}`))
  }
  if (typeof expected === 'string' && typeof actual === 'string' && matches(rules.ignorePositions, path)) {
    return withoutPositions(expected) === withoutPositions(actual) ? [] : [mismatch(path, expected, actual)]
  }
  return Object.is(expected, actual) ? [] : [mismatch(path, expected, actual)]
}

export interface CompareRules {
  /** Paths (`$.a.b`, `*` for one segment) whose text is compared only as present or absent. */
  readonly refusalOnly: readonly string[]
  readonly ignorePositions: readonly string[]
}

const mismatch = (path: string, expected: unknown, actual: unknown): string =>
  `${path}:\n      expected ${show(expected)}\n      got      ${show(actual)}`

/** Positions count bytes of the text that one parser saw; another may number the same fault differently. */
const withoutPositions = (text: string): string => text.replace(/,? ?line \d+,? col(umn)? \d+/g, '')

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function matches(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => {
    const expression = pattern
      .replace(/^\$?\.?/, '$.')
      .replace(/[.$[\]]/g, '\\$&')
      .replaceAll('*', '[^.]+')
    return new RegExp(`^${expression}$`).test(path)
  })
}

function show(value: unknown): string {
  const text = JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? String(member) : member))
  return text === undefined ? 'nothing' : text.length > 600 ? `${text.slice(0, 600)}…` : text
}
