/**
 * Amounts such as `500m`, `10Mi` or `1e3` (Kubernetes API reference, "Quantity"): exact down to 10^-9, rounded away from
 * zero below that.
 */
export interface Quantity {
  readonly nanos: bigint
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent'
}

const syntax = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/
const billion = 1_000_000_000n
const decimalSuffixes: readonly string[] = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
/** Larger exponents cannot name an amount that fits 63 bits, and would cost memory. */
const exponentLimit = 64
const largest = (2n ** 63n - 1n) * billion

/** Undefined when the text is no quantity. A JSON number is read as its decimal text. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const parts = syntax.exec(String(text))
  if (!parts) return undefined
  const [, sign = '', digits = '', suffix = ''] = parts
  const scale = scaleOf(suffix)
  if (scale === undefined) return undefined
  const [whole = '', fraction = ''] = digits.split('.')
  const mantissa = BigInt(`${whole}${fraction}` || '0')
  const unrounded = mantissa * scale.multiplier * billion
  const divisor = scale.divisor * 10n ** BigInt(fraction.length)
  // Asking for a tiny amount gives the least amount, never nothing.
  const rounded = (unrounded + divisor - 1n) / divisor
  const capped = rounded > largest ? largest : rounded
  const format = scale.format === 'BinarySI' && capped > 0n && capped < billion ? 'DecimalSI' : scale.format
  return { nanos: sign === '-' ? -capped : capped, format }
}

interface Scale {
  readonly multiplier: bigint
  readonly divisor: bigint
  readonly format: Quantity['format']
}

function scaleOf(suffix: string): Scale | undefined {
  const binary = binarySuffixes.indexOf(suffix)
  if (binary > 0) return { multiplier: 1024n ** BigInt(binary), divisor: 1n, format: 'BinarySI' }
  const decimal = decimalSuffixes.indexOf(suffix)
  if (decimal >= 0) return powerOfTen((decimal - 3) * 3, 'DecimalSI')
  const exponent = Number(suffix.slice(1))
  return Number.isInteger(exponent) && Math.abs(exponent) <= exponentLimit
    ? powerOfTen(exponent, 'DecimalExponent')
    : undefined
}

function powerOfTen(exponent: number, format: Quantity['format']): Scale {
  return exponent >= 0
    ? { multiplier: 10n ** BigInt(exponent), divisor: 1n, format }
    : { multiplier: 1n, divisor: 10n ** BigInt(-exponent), format }
}

/** Negative, zero or positive, as in sorting. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0
}

/** Whole units, rounded up: `resource.Quantity.Value()`. */
export function quantityToWhole({ nanos }: Quantity): bigint {
  const whole = nanos / billion
  return nanos > 0n && nanos % billion !== 0n ? whole + 1n : whole
}

/** The canonical text: no fraction, the largest suffix that allows it; `1.5Gi` is `1536Mi`, `0.5` is `500m`. */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity
  if (nanos === 0n) return '0'
  const magnitude = nanos < 0n ? -nanos : nanos
  const sign = nanos < 0n ? '-' : ''
  return (
    sign +
    (format === 'BinarySI' && magnitude >= 1024n * billion ? binaryText(magnitude) : decimalText(magnitude, format))
  )
}

function binaryText(magnitude: bigint): string {
  let amount = (magnitude + billion - 1n) / billion
  let step = 0
  while (amount % 1024n === 0n && step < binarySuffixes.length - 1) {
    amount /= 1024n
    step++
  }
  return `${amount}${binarySuffixes[step] ?? ''}`
}

function decimalText(magnitude: bigint, format: Quantity['format']): string {
  let amount = magnitude
  let step = 0
  while (amount % 1000n === 0n && step < decimalSuffixes.length - 1) {
    amount /= 1000n
    step++
  }
  if (format !== 'DecimalExponent') return `${amount}${decimalSuffixes[step] ?? ''}`
  return step === 3 ? `${amount}` : `${amount}e${(step - 3) * 3}`
}
