/**
 * Would this text, written plain, be read back as something other than a string? Then it must be quoted.
 * The rules are those of a YAML 1.1 reader with Go's number syntax (YAML 1.1 types: bool, null, int, float, timestamp;
 * spec: render 8.4). Linear in the text; long texts leave at the first character or the length check.
 */
export function looksLikeOtherType(text: string): boolean {
  const first = text.charCodeAt(0)
  if (words.has(text)) return true
  if (first === 0x2e) return isFiniteFloat(text, pointFloat)
  if (!isDigit(first) && first !== 0x2b && first !== 0x2d) return false
  return isTimestamp(text) || isNumber(text.includes('_') ? text.replaceAll('_', '') : text) || base60.test(text)
}

const words: ReadonlySet<string> = new Set([
  '',
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'n', 'N', 'no', 'No', 'NO', 'on', 'On', 'ON', 'off', 'Off', 'OFF'],
  ...['true', 'True', 'TRUE', 'false', 'False', 'FALSE', '~', 'null', 'Null', 'NULL'],
  ...['.nan', '.NaN', '.NAN'],
  ...['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => sign + word)),
])

const pointFloat = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/
const anyFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/
const prefixedInteger = /^([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Decimal and leading-zero octal integers need no rule of their own: each is a float as well. */
function isNumber(text: string): boolean {
  const integer = prefixedInteger.exec(text)
  return integer ? fitsIn64Bits(integer[1] === '-', integer[2] ?? '', integer[1] === '') : isFiniteFloat(text, anyFloat)
}

function fitsIn64Bits(negative: boolean, digits: string, unsignedAllowed: boolean): boolean {
  const magnitude = BigInt(digits.toLowerCase())
  if (negative) return magnitude <= 1n << 63n
  return magnitude < 1n << (unsignedAllowed ? 64n : 63n)
}

const isFiniteFloat = (text: string, syntax: RegExp): boolean => syntax.test(text) && Number.isFinite(Number(text))

const date = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(.*)$/
const timeOfDay = /^(?:[Tt]| +)([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?$/

function isTimestamp(text: string): boolean {
  const found = text.length > 100 ? null : date.exec(text)
  if (!found || !isCalendarDay(Number(found[1]), Number(found[2]), Number(found[3]))) return false
  const rest = found[4] ?? ''
  if (rest === '') return true
  const time = timeOfDay.exec(rest)
  if (!time || Number(time[1]) > 23 || Number(time[2]) > 59 || Number(time[3]) > 59) return false
  // With T an offset is part of the form, with a space there is none.
  const offset = time[4]
  if (rest.startsWith(' ')) return offset === undefined
  return offset !== undefined && (offset === 'Z' || (Number(offset.slice(1, 3)) <= 24 && Number(offset.slice(4)) < 60))
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  return days !== undefined && day >= 1 && day <= days
}
