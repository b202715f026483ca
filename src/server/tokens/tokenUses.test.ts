import { describe, expect, it } from 'vitest'
import { addBoots, noUses, readUses, usesToText } from './tokenUses.ts'

const start = new Date('2026-03-01T12:00:00Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
const boots = (...list: readonly (readonly [string, Date])[]) => new Map(list)

describe('addBoots', () => {
  it('counts machines, not requests, and counting again changes nothing', () => {
    const seen = boots(['10.0.0.1', start], ['10.0.0.2', later(1)])
    const once = addBoots(noUses, seen, later(2))
    expect(once.count).toBe(2)
    expect(addBoots(once, seen, later(3))).toBe(once)
    // Another server's clock, or a retry that it took for the first request.
    expect(addBoots(once, boots(['10.0.0.1', later(20)]), later(20))).toBe(once)
  })

  it('counts the next boot of the same address after an hour', () => {
    const once = addBoots(noUses, boots(['10.0.0.1', start]), start)
    expect(addBoots(once, boots(['10.0.0.1', later(61)]), later(61)).count).toBe(2)
  })

  it('never counts an old report again after it was forgotten', () => {
    const old = boots(['10.0.0.1', start])
    const after = addBoots(addBoots(noUses, old, start), boots(['10.0.0.9', later(26 * 60)]), later(26 * 60))
    expect([...after.recent.keys()]).toEqual(['10.0.0.9'])
    expect(addBoots(after, old, later(26 * 60))).toBe(after)
    expect(after.count).toBe(2)
  })

  it('keeps the annotation small and the count right', () => {
    const many = new Map(
      Array.from({ length: 5000 }, (_, index) => [`10.0.${index >> 8}.${index & 255}`, start] as const),
    )
    const uses = addBoots(noUses, many, start)
    expect([uses.count, uses.recent.size, usesToText(uses).length < 100_000]).toEqual([5000, 2000, true])
  })
})

describe('the text of uses', () => {
  it('comes back as it was, to the second', () => {
    const uses = addBoots(noUses, boots(['10.0.0.1', start], ['fd00::1', later(1)]), later(1))
    expect(readUses(usesToText(uses))).toEqual(uses)
  })

  it.each(['', 'x', 'null', '[]', '{}', '{"count":null}', '{"count":1.5}'])(
    'that is damaged counts as used up: %j',
    (text) => expect(readUses(text)).toEqual({ count: Number.MAX_SAFE_INTEGER, recent: new Map() }),
  )

  it('survives damaged addresses', () => {
    expect(readUses('{"count":2,"recent":{"a":"x","b":null}}')).toEqual({ count: 2, recent: new Map() })
    expect(readUses('{"count":2,"recent":null}')).toEqual({ count: 2, recent: new Map() })
  })
})
