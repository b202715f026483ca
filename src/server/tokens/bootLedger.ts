import { isUnderWay } from './tokenUses.ts'

/**
 * The boots that this process has admitted: address to first request, per token. It is what keeps a boot going whose token
 * expires under it, and what counts against a limit before the count has reached the token's record.
 */
export class BootLedger {
  readonly #boots = new Map<string, Map<string, Date>>()
  readonly #mostPerToken: number
  #sweptMs = 0

  constructor({ mostPerToken = 10_000 }: { readonly mostPerToken?: number } = {}) {
    this.#mostPerToken = mostPerToken
  }

  of(tokenId: string, now: Date): ReadonlyMap<string, Date> {
    if (now.getTime() - this.#sweptMs >= sweepMs) this.forgetOld(now)
    return this.#boots.get(tokenId) ?? none
  }

  /** A request was admitted; only the first of a boot counts. */
  admit(tokenId: string, address: string, now: Date): void {
    const boots = this.#boots.get(tokenId) ?? new Map<string, Date>()
    this.#boots.set(tokenId, boots)
    if (isUnderWay(boots.get(address), now)) return
    boots.delete(address)
    boots.set(address, now)
    if (boots.size > this.#mostPerToken) this.forgetOld(now)
    for (const oldest of boots.keys()) {
      if (boots.size <= this.#mostPerToken) return
      boots.delete(oldest)
    }
  }

  /** Boots that ended, or were given up. What was served of them is in the tokens' records by then. */
  forgetOld(now: Date): void {
    this.#sweptMs = now.getTime()
    for (const [tokenId, boots] of this.#boots) {
      for (const [address, at] of boots) if (!isUnderWay(at, now)) boots.delete(address)
      if (boots.size === 0) this.#boots.delete(tokenId)
    }
  }
}

/** A boot that ended must not count beside its record's count for long. */
const sweepMs = 60_000

const none: ReadonlyMap<string, Date> = new Map()
