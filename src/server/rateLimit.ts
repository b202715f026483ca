/** Lets each key act so often and no more; a key that was quiet may do a burst. */
export interface RateLimit {
  /** True when `key` may act now; each true counts. */
  admits(key: string, nowMs: number): boolean
}

export interface RateLimitOptions {
  /** 0 limits nothing. */
  readonly perSecond: number
  readonly burst: number
  /** The oldest keys are forgotten beyond this many, so that strangers cannot fill the memory. */
  readonly maxKeys?: number
}

/** A token bucket per key. */
export function rateLimit({ perSecond, burst, maxKeys = 16_384 }: RateLimitOptions): RateLimit {
  if (perSecond === 0) return { admits: () => true }
  const buckets = new Map<string, { left: number; atMs: number }>()
  return {
    admits(key, nowMs) {
      const bucket = buckets.get(key)
      if (!bucket) {
        forgetOldest(buckets, maxKeys)
        buckets.set(key, { left: burst - 1, atMs: nowMs })
        return true
      }
      const gained = (Math.max(0, nowMs - bucket.atMs) * perSecond) / 1000
      bucket.left = Math.min(burst, bucket.left + gained)
      bucket.atMs = nowMs
      if (bucket.left < 1) return false
      bucket.left -= 1
      return true
    },
  }
}

/** In the order of insertion: an attacker's fresh keys push out old ones, whose bucket is full again anyway. */
function forgetOldest(buckets: Map<string, unknown>, maxKeys: number): void {
  if (buckets.size < maxKeys) return
  const [oldest] = buckets.keys()
  if (oldest !== undefined) buckets.delete(oldest)
}
