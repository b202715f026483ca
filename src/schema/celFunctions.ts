import {
  type Cidr,
  cidrContainsCidr,
  cidrContainsIp,
  type IpAddress,
  maskedBits,
  parseCidr,
  parseIp,
  width,
} from './cidr.ts'
import { formatChecks } from './formats.ts'
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from './names.ts'
import { compilePattern } from './pattern.ts'
import { compareQuantities, parseQuantity, type Quantity, quantityToWhole } from './quantity.ts'

/**
 * The functions that Kubernetes adds to CEL (Kubernetes documentation, "Common Expression Language in Kubernetes"): what
 * each computes, without the engine. Values of these kinds are opaque to rules and carried by classes of their own.
 */
export class CelQuantity {
  readonly value: Quantity
  constructor(value: Quantity) {
    this.value = value
  }
}
export class CelUrl {
  readonly value: URL
  constructor(value: URL) {
    this.value = value
  }
}
export class CelIp {
  readonly value: IpAddress
  constructor(value: IpAddress) {
    this.value = value
  }
}
export class CelCidr {
  readonly value: Cidr
  constructor(value: Cidr) {
    this.value = value
  }
}
export class CelFormat {
  readonly errorsOf: (text: string) => readonly string[]
  constructor(errorsOf: (text: string) => readonly string[]) {
    this.errorsOf = errorsOf
  }
}
/** The receiver of `format.dns1123Label()` and its like. */
export class CelFormatLibrary {}

export const celTypes = {
  'kubernetes.Quantity': CelQuantity,
  'kubernetes.URL': CelUrl,
  'net.IP': CelIp,
  'net.CIDR': CelCidr,
  'kubernetes.NamedFormat': CelFormat,
  'kubernetes.FormatLibrary': CelFormatLibrary,
} as const

const namedFormats: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: dns1123LabelErrors,
  dns1123Subdomain: dns1123SubdomainErrors,
  dns1035Label: dns1035LabelErrors,
  qualifiedName: qualifiedNameErrors,
  labelValue: labelValueErrors,
  uri: (text) => (URL.canParse(text) ? [] : ['invalid URI']),
  uuid: checkedBy('uuid', 'does not match the UUID format'),
  byte: checkedBy('byte', 'invalid base64'),
  date: checkedBy('date', 'invalid date'),
  datetime: checkedBy('date-time', 'invalid datetime'),
}

function checkedBy(format: string, message: string): (text: string) => readonly string[] {
  return (text) => (formatChecks[format]?.(text) ? [] : [message])
}

export const celFormatNames = Object.keys(namedFormats)

export function celFormat(name: string): CelFormat {
  const errorsOf = namedFormats[name]
  if (!errorsOf) throw new Error(`no such format: ${name}; known are ${celFormatNames.join(', ')}`)
  return new CelFormat(errorsOf)
}

function celQuantity(text: string): CelQuantity {
  const value = parseQuantity(text)
  if (!value)
    throw new Error(`quantities must match the regular expression of resource quantities, got ${JSON.stringify(text)}`)
  return new CelQuantity(value)
}

function celUrl(text: string): CelUrl {
  if (!isUrl(text)) throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
  return new CelUrl(new URL(text))
}

/** Only absolute URLs are read: a path alone has no parts that a rule could ask for. */
const isUrl = (text: string): boolean => URL.canParse(text)

function celIp(text: string): CelIp {
  const value = parseIp(text)
  if (!value) throw new Error(`IP Address ${JSON.stringify(text)} parse error`)
  return new CelIp(value)
}

function celCidr(text: string): CelCidr {
  const value = parseCidr(text)
  if (!value) throw new Error(`network address parse error during conversion from string: ${JSON.stringify(text)}`)
  return new CelCidr(value)
}

/** Signature, in the engine's notation, to implementation. Receivers come first. */
export const celFunctions = {
  'quantity(string): kubernetes.Quantity': celQuantity,
  'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    compareQuantities(a.value, b.value) > 0,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    compareQuantities(a.value, b.value) < 0,
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: CelQuantity, b: CelQuantity) =>
    BigInt(compareQuantities(a.value, b.value)),
  'kubernetes.Quantity.asInteger(): int': (a: CelQuantity) => quantityToWhole(a.value),
  'kubernetes.Quantity.isInteger(): bool': (a: CelQuantity) => a.value.nanos % 1_000_000_000n === 0n,
  'kubernetes.Quantity.asApproximateFloat(): double': (a: CelQuantity) => Number(a.value.nanos) / 1e9,
  'kubernetes.Quantity.sign(): int': (a: CelQuantity) => (a.value.nanos > 0n ? 1n : a.value.nanos < 0n ? -1n : 0n),

  'url(string): kubernetes.URL': celUrl,
  'isURL(string): bool': isUrl,
  'kubernetes.URL.getScheme(): string': (url: CelUrl) => url.value.protocol.replace(/:$/, ''),
  'kubernetes.URL.getHost(): string': (url: CelUrl) => url.value.host,
  'kubernetes.URL.getHostname(): string': (url: CelUrl) => url.value.hostname.replace(/^\[|\]$/g, ''),
  'kubernetes.URL.getPort(): string': (url: CelUrl) => url.value.port,
  'kubernetes.URL.getEscapedPath(): string': (url: CelUrl) => url.value.pathname,

  'ip(string): net.IP': celIp,
  'isIP(string): bool': (text: string) => parseIp(text) !== undefined,
  'net.IP.family(): int': (ip: CelIp) => BigInt(ip.value.family),
  'net.IP.isUnspecified(): bool': (ip: CelIp) => ip.value.bits === 0n,
  'net.IP.isLoopback(): bool': (ip: CelIp) =>
    ip.value.family === 4 ? ip.value.bits >> 24n === 127n : ip.value.bits === 1n,
  'cidr(string): net.CIDR': celCidr,
  'isCIDR(string): bool': (text: string) => parseCidr(text) !== undefined,
  'net.CIDR.containsIP(string): bool': (cidr: CelCidr, ip: string) => cidrContainsIp(cidr.value, celIp(ip).value),
  'net.CIDR.containsIP(net.IP): bool': (cidr: CelCidr, ip: CelIp) => cidrContainsIp(cidr.value, ip.value),
  'net.CIDR.containsCIDR(string): bool': (cidr: CelCidr, inner: string) =>
    cidrContainsCidr(cidr.value, celCidr(inner).value),
  'net.CIDR.containsCIDR(net.CIDR): bool': (cidr: CelCidr, inner: CelCidr) => cidrContainsCidr(cidr.value, inner.value),
  'net.CIDR.ip(): net.IP': (cidr: CelCidr) => new CelIp(cidr.value.address),
  'net.CIDR.masked(): net.CIDR': (cidr: CelCidr) =>
    new CelCidr({
      address: { family: cidr.value.address.family, bits: maskedBits(cidr.value) },
      prefixLength: cidr.value.prefixLength,
    }),
  'net.CIDR.prefixLength(): int': (cidr: CelCidr) => BigInt(cidr.value.prefixLength),
  'net.CIDR.isFullWidth(): bool': (cidr: CelCidr) => cidr.value.prefixLength === width(cidr.value.address),

  'string.find(string): string': (text: string, pattern: string) => compilePattern(pattern).exec(text)?.[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => {
    const expression = compilePattern(pattern)
    return [...text.matchAll(new RegExp(expression.source, `${expression.flags}g`))].map(([match]) => match)
  },
  'string.replace(string, string): string': (text: string, from: string, to: string) => text.replaceAll(from, () => to),
  'string.charAt(int): string': (text: string, index: bigint) => [...text][Number(index)] ?? '',

  'list<dyn>.isSorted(): bool': (list: readonly Ordered[]) =>
    list.every((item, index) => index === 0 || !precedes(item, list[index - 1])),
  'list<dyn>.sum(): dyn': (list: readonly (bigint | number)[]) =>
    list.reduce((sum, item) => addNumbers(sum, item), typeof list[0] === 'number' ? 0 : 0n),
  'list<dyn>.min(): dyn': (list: readonly Ordered[]) => extreme(list, (a, b) => precedes(a, b)),
  'list<dyn>.max(): dyn': (list: readonly Ordered[]) => extreme(list, (a, b) => precedes(b, a)),
  'list<dyn>.indexOf(dyn): int': (list: readonly unknown[], item: unknown) => BigInt(list.indexOf(item)),
  'list<dyn>.lastIndexOf(dyn): int': (list: readonly unknown[], item: unknown) => BigInt(list.lastIndexOf(item)),
} as const

type Ordered = string | bigint | number | boolean | Date

const precedes = (a: Ordered, b: Ordered | undefined): boolean => b !== undefined && a < b

function addNumbers(a: bigint | number, b: bigint | number): bigint | number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a + b
  return Number(a) + Number(b)
}

function extreme(list: readonly Ordered[], isBetter: (a: Ordered, b: Ordered) => boolean): Ordered {
  const [first, ...rest] = list
  if (first === undefined) throw new Error('min and max need a list with at least one item')
  return rest.reduce((best, item) => (isBetter(item, best) ? item : best), first)
}
