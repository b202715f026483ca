/**
 * The order of keys in the text that is hashed: natural order. Letters come after everything else, runs of digits compare
 * by value (a2 before a10). Keys of an Ignition config are letters, for which this is the order of code units.
 */
export function compareYamlKeys(a: string, b: string): number {
  if (isLettersOnly(a) && isLettersOnly(b)) return a < b ? -1 : a > b ? 1 : 0
  return compareNaturally([...a], [...b])
}

const isLettersOnly = (key: string): boolean => /^[A-Za-z]+$/.test(key)
const isLetter = (char: string): boolean => /^\p{L}$/u.test(char)
const isDigit = (char: string | undefined): boolean => char !== undefined && /^\p{Nd}$/u.test(char)

function compareNaturally(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((char, index) => char !== b[index])
  const [left, right] = [a[at], b[at]]
  if (at < 0 || left === undefined || right === undefined) return a.length - b.length
  const letters = Number(isLetter(left)) - Number(isLetter(right))
  if (letters !== 0) return letters
  if (!isLetter(left)) {
    const numbers = compareNumbers(a, b, at)
    if (numbers !== 0) return numbers
  }
  return codeOf(left) - codeOf(right)
}

/** Compares the runs of digits at `at`; a run that starts with 0 inside a number counts with a leading 1. */
function compareNumbers(a: readonly string[], b: readonly string[], at: number): number {
  const insideNumber = (a[at] === '0' || b[at] === '0') && hasSignificantDigitBefore(a, at)
  const [left, right] = [digitsFrom(a, at), digitsFrom(b, at)]
  const toNumber = (digits: string) => BigInt((insideNumber ? '1' : '0') + digits)
  const [x, y] = [toNumber(left), toNumber(right)]
  return x < y ? -1 : x > y ? 1 : left.length - right.length
}

function hasSignificantDigitBefore(key: readonly string[], at: number): boolean {
  for (let index = at - 1; isDigit(key[index]); index--) if (key[index] !== '0') return true
  return false
}

function digitsFrom(key: readonly string[], at: number): string {
  let end = at
  while (/^[0-9]$/.test(key[end] ?? '')) end++
  return key.slice(at, end).join('')
}

const codeOf = (char: string): number => char.codePointAt(0) ?? 0
