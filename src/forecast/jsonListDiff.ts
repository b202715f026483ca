/** Plain JSON data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** One place where two documents differ: keys and list positions from the root, and the lines of the difference. */
export interface JsonDifference {
  readonly path: readonly (string | number)[]
  /** `- old`, `+ new`, and for lists the neighbours (`  value`, `[` before the first, `]` after the last item). */
  readonly lines: readonly string[]
}

/**
 * Structural difference of two JSON documents, in key order. Objects and lists that stand at the same place are compared
 * inside; items of a list are matched by their longest common subsequence, so an inserted item is one difference.
 */
export function diffJson(before: Json | undefined, after: Json | undefined): JsonDifference[] {
  return compare(before, after, [])
}

type Path = readonly (string | number)[]

function compare(before: Json | undefined, after: Json | undefined, path: Path): JsonDifference[] {
  if (canonical(before) === canonical(after)) return []
  if (isList(before) && isList(after)) return compareLists(before, after, path)
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
    return keys.flatMap((key) => compare(before[key], after[key], [...path, key]))
  }
  const lines = [...(before === undefined ? [] : [removed(before)]), ...(after === undefined ? [] : [added(after)])]
  return [{ path, lines }]
}

function compareLists(before: readonly Json[], after: readonly Json[], path: Path): JsonDifference[] {
  const left = before.map(canonical)
  const right = after.map(canonical)
  const common = longestCommonSubsequence(left, right)
  const differences: JsonDifference[] = []
  let [i, j, k] = [0, 0, 0]
  while (i < left.length || j < right.length) {
    const [shared, old, next] = [common[k], before[i], after[j]]
    if (shared !== undefined && left[i] === shared && right[j] === shared) {
      i++
      j++
      k++
    } else if (left[i] !== shared && right[j] !== shared && isSameContainer(old, next)) {
      differences.push(...compare(old, next, [...path, j]))
      i++
      j++
    } else {
      const start = j
      const lines = [j === 0 ? '[' : `  ${canonical(after[j - 1])}`]
      const additions: string[] = []
      for (; i < left.length && left[i] !== shared && !isSameContainer(before[i], atEdit(j)); i++) {
        lines.push(removed(before[i] ?? null))
      }
      for (; j < right.length && right[j] !== shared; j++) additions.push(added(after[j] ?? null))
      lines.push(...additions, i < left.length ? `  ${left[i]}` : ']')
      differences.push({ path: [...path, start], lines })
    }
  }
  return differences

  /** The new item that an old one at this place would be compared with, unless it is a common one. */
  function atEdit(position: number): Json | undefined {
    return right[position] === common[k] ? undefined : after[position]
  }
}

/** Positions as in the classical table; of equally long subsequences the one that keeps the earliest old items. */
function longestCommonSubsequence(a: readonly string[], b: readonly string[]): string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  }
  const common: string[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const value = a[i]
    if (value !== undefined && value === b[j]) {
      common.push(value)
      i++
      j++
    } else if (at(i, j + 1) >= at(i + 1, j)) j++
    else i++
  }
  return common
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isObject = (value: Json | undefined): value is { readonly [key: string]: Json | undefined } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSameContainer = (a: Json | undefined, b: Json | undefined): boolean =>
  (isList(a) && isList(b)) || (isObject(a) && isObject(b))

const removed = (value: Json): string => `- ${canonical(value)}`
const added = (value: Json): string => `+ ${canonical(value)}`

/** One line with sorted keys: equal data gives equal text. */
function canonical(value: Json | undefined): string {
  if (value === undefined) return ''
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .flatMap((key) => (value[key] === undefined ? [] : [`${JSON.stringify(key)}:${canonical(value[key])}`]))
  return `{${members.join(',')}}`
}
