/**
 * How often a token was used. A use is the boot of one machine, not a request: Ignition asks again after every failure, so
 * what comes from one address within an hour of its first request is one boot. Machines behind one address translation count
 * as one.
 */
export interface TokenUses {
  /** Boots so far; never goes down. */
  readonly count: number
  /** Address to its boot's first request, for the boots of the last day. They are part of the count. */
  readonly recent: ReadonlyMap<string, Date>
}

export const noUses: TokenUses = { count: 0, recent: new Map() }

const bootWindowMs = 3_600_000

/** Longer than reports of boots are kept (src/forecast/joinRecords.ts), so that none is counted again. */
const rememberedMs = 25 * 3_600_000

/** So that an annotation stays far below its limit of 256 KiB. */
const mostRecent = 2000

export const isUnderWay = (firstAt: Date | undefined, now: Date): boolean =>
  firstAt !== undefined && now.getTime() - firstAt.getTime() < bootWindowMs

/** With these boots counted; one that is known is not counted again. The same value when none is new. */
export function addBoots(uses: TokenUses, boots: ReadonlyMap<string, Date>, now: Date): TokenUses {
  const fresh = [...boots].filter(
    ([address, at]) => now.getTime() - at.getTime() < rememberedMs && !isSameBoot(uses.recent.get(address), at),
  )
  if (fresh.length === 0) return uses
  const recent = [...new Map([...uses.recent, ...fresh])].filter(
    ([, at]) => now.getTime() - at.getTime() < rememberedMs,
  )
  return { count: uses.count + fresh.length, recent: new Map(recent.slice(-mostRecent)) }
}

function isSameBoot(knownAt: Date | undefined, at: Date): boolean {
  return knownAt !== undefined && Math.abs(at.getTime() - knownAt.getTime()) < bootWindowMs
}

export const usesToText = ({ count, recent }: TokenUses): string =>
  JSON.stringify({
    count,
    recent: Object.fromEntries([...recent].map(([address, at]) => [address, Math.floor(at.getTime() / 1000)])),
  })

/** What cannot be read counts as used up: a count that was damaged must not become a fresh token. */
export function readUses(text: string): TokenUses {
  const value = parse(text)
  if (typeof value !== 'object' || value === null || !('count' in value) || !Number.isSafeInteger(value.count))
    return { count: Number.MAX_SAFE_INTEGER, recent: new Map() }
  const recent = 'recent' in value && typeof value.recent === 'object' ? Object.entries(value.recent ?? {}) : []
  return {
    count: Number(value.count),
    recent: new Map(recent.flatMap(([address, at]) => (Number.isFinite(at) ? [[address, new Date(at * 1000)]] : []))),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
