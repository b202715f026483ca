import { describe, expect, it } from 'vitest'
import { rateLimit } from './rateLimit.ts'

describe('rateLimit', () => {
  it('admits a burst, then as many as were gained since', () => {
    const limit = rateLimit({ perSecond: 2, burst: 3 })
    const admitted = (nowMs: number, times: number) =>
      Array.from({ length: times }, () => limit.admits('a', nowMs)).filter(Boolean).length
    expect(admitted(0, 10)).toBe(3)
    expect(admitted(1000, 10)).toBe(2)
    expect(admitted(1_000_000, 10)).toBe(3)
  })

  it('counts each key apart', () => {
    const limit = rateLimit({ perSecond: 1, burst: 1 })
    expect([limit.admits('a', 0), limit.admits('a', 0), limit.admits('b', 0)]).toEqual([true, false, true])
  })

  it('gains nothing when the clock goes back', () => {
    const limit = rateLimit({ perSecond: 1, burst: 1 })
    expect([limit.admits('a', 5000), limit.admits('a', 0), limit.admits('a', 500)]).toEqual([true, false, false])
  })

  it('forgets the oldest key when there are too many', () => {
    const limit = rateLimit({ perSecond: 1, burst: 1, maxKeys: 2 })
    for (const key of ['a', 'b', 'c']) limit.admits(key, 0)
    expect([limit.admits('c', 0), limit.admits('a', 0)]).toEqual([false, true])
  })

  it('limits nothing at 0', () => {
    const limit = rateLimit({ perSecond: 0, burst: 0 })
    expect([limit.admits('a', 0), limit.admits('a', 0)]).toEqual([true, true])
  })
})
