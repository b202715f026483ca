/** How many nodes of a pool may be unavailable at once, or why the value cannot be read. */
export type Budget =
  | { readonly kind: 'value'; readonly nodes: number }
  | { readonly kind: 'invalid'; readonly message: string }

/**
 * An absolute number, or a percentage of the pool's present size rounded down; never 0, or nothing would ever move.
 * The texts of a refusal are those of the IntOrString reader that users of Kubernetes know.
 */
export function maxUnavailableOf(value: number | string | null | undefined, nodeCount: number): Budget {
  if (value === null || value === undefined) return nodes(1)
  if (typeof value === 'number') return nodes(value)
  if (!value.endsWith('%')) return invalid('invalid type: string is not a percentage')
  const digits = value.slice(0, -1)
  if (!/^[+-]?\d+$/.test(digits)) {
    return invalid(
      `invalid value ${JSON.stringify(value)}: strconv.Atoi: parsing ${JSON.stringify(digits)}: invalid syntax`,
    )
  }
  return nodes(Math.floor((Number(digits) * nodeCount) / 100))
}

const nodes = (count: number): Budget => ({ kind: 'value', nodes: count === 0 ? 1 : count })
const invalid = (why: string): Budget => ({
  kind: 'invalid',
  message: `maxUnavailable: invalid value for IntOrString: ${why}`,
})
