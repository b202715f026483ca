/** A whole number or a string such as `25%` (apimachinery's IntOrString). */
export type IntOrString = number | string

/**
 * The number that an int-or-percent stands for out of `total`, rounded up or down. A string that is neither a percentage
 * nor absent of `%` is an error, as in apimachinery: only a plain number or `N%` is accepted.
 */
export function scaledValue(
  value: IntOrString,
  total: number,
  { roundUp = false }: { roundUp?: boolean } = {},
): { readonly value: number } | { readonly error: string } {
  if (typeof value === 'number') return { value }
  const percent = /^([+-]?\d+)%$/.exec(value)?.[1]
  if (percent === undefined) {
    return { error: `invalid value for IntOrString: invalid type: string is not a percentage, got "${value}"` }
  }
  const exact = (Number(percent) * total) / 100
  return { value: roundUp ? Math.ceil(exact) : Math.floor(exact) }
}
