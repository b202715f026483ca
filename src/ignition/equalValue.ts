/**
 * Are two values of a configuration the same? Members that are absent and members that are undefined are the same;
 * an empty list differs from an absent one, as in the original's comparison.
 */
export function equalValue(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item: unknown, index) => equalValue(item, right[index]))
  }
  const a = left as Readonly<Record<string, unknown>>
  const b = right as Readonly<Record<string, unknown>>
  for (const key of Object.keys(a)) if (!equalValue(a[key], b[key])) return false
  for (const key of Object.keys(b)) if (b[key] !== undefined && a[key] === undefined) return false
  return true
}
