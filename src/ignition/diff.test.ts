import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedFiles, changedUnits } from './diff.ts'
import { equalValue } from './equalValue.ts'
import type { File, IgnitionConfig, Unit } from './types.ts'

const config = (files: readonly File[], units: readonly Unit[] = []): IgnitionConfig => ({
  ignition: { version: '3.5.0' },
  storage: { files },
  systemd: { units },
})

describe('changedFiles', () => {
  it('lists changed and new paths in the order of the new config, then removed ones', () => {
    const old = config([{ path: '/gone' }, { path: '/b', mode: 1 }, { path: '/same', mode: 2 }])
    const next = config([{ path: '/new' }, { path: '/same', mode: 2 }, { path: '/b', mode: 3 }])
    expect(changedFiles(old, next)).toEqual(['/new', '/b', '/gone'])
    expect(changedFiles(old, old)).toEqual([])
  })
})

describe('changedUnits', () => {
  it('sorts names by kind of change, in the order of the config that has them', () => {
    const old = config([], [{ name: 'z' }, { name: 'y' }, { name: 'b', mask: true }])
    const next = config([], [{ name: 'q' }, { name: 'c' }, { name: 'b', mask: false }])
    expect(changedUnits(old, next)).toEqual({ added: ['q', 'c'], updated: ['b'], removed: ['z', 'y'] })
  })
})

describe('equalValue', () => {
  it.each([
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: [] }, {}, false],
    [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }, true],
    [[1, 2], [2, 1], false],
    [{ 0: 1 }, [1], false],
    [null, {}, false],
    ['1', 1, false],
  ])('compares %j with %j', (left, right, same) => {
    expect(equalValue(left, right)).toBe(same)
    expect(equalValue(right, left)).toBe(same)
  })

  it('finds a value equal to its copy and different from any other', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const [a, b] = [JSON.stringify(left), JSON.stringify(right)]
        expect(equalValue(JSON.parse(a), JSON.parse(a))).toBe(true)
        if (equalValue(JSON.parse(a), JSON.parse(b))) expect(canonical(JSON.parse(a))).toBe(canonical(JSON.parse(b)))
      }),
    )
  })
})

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
