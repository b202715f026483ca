export interface IpAddress {
  readonly family: 4 | 6
  readonly bits: bigint
}

export interface Cidr {
  readonly address: IpAddress
  readonly prefixLength: number
}

/** An IPv4 or IPv6 address as a number; zones and leading zeros are refused. */
export function parseIp(text: string): IpAddress | undefined {
  const four = ipv4Bits(text)
  if (four !== undefined) return { family: 4, bits: four }
  const six = ipv6Bits(text)
  return six === undefined ? undefined : { family: 6, bits: six }
}

function ipv4Bits(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function ipv6Bits(text: string): bigint | undefined {
  const folded = foldIpv4Tail(text)
  const halves = folded?.split('::') ?? []
  if (halves.length < 1 || halves.length > 2) return undefined
  const [left = [], right = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - left.length - right.length
  // `::` stands for at least one group; without it all eight must be written.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const groups = [...left, ...new Array<string>(missing).fill('0'), ...right]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  return groups.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
}

/** The last 32 bits may be written as IPv4; undefined when they are and are wrong. */
function foldIpv4Tail(text: string): string | undefined {
  const tail = /[^:]*\.[^:]*$/.exec(text)?.[0]
  if (tail === undefined) return text
  const bits = ipv4Bits(tail)
  if (bits === undefined) return undefined
  return `${text.slice(0, -tail.length)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`
}

export function parseCidr(text: string): Cidr | undefined {
  const parts = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text)
  const address = parts ? parseIp(parts[1] ?? '') : undefined
  const prefixLength = Number(parts?.[2])
  return address && prefixLength <= width(address) ? { address, prefixLength } : undefined
}

export const width = ({ family }: IpAddress): number => (family === 4 ? 32 : 128)

/** The network's first address. */
export function maskedBits({ address, prefixLength }: Cidr): bigint {
  const hostBits = BigInt(width(address) - prefixLength)
  return (address.bits >> hostBits) << hostBits
}

export function cidrContainsIp(cidr: Cidr, address: IpAddress): boolean {
  return (
    cidr.address.family === address.family &&
    maskedBits(cidr) === maskedBits({ address, prefixLength: cidr.prefixLength })
  )
}

export function cidrContainsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.prefixLength <= inner.prefixLength && cidrContainsIp(outer, inner.address)
}
