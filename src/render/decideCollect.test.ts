import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decideCollect, type RenderedReferences } from './decideCollect.ts'

const now = new Date('2026-01-02T00:00:00Z')
const hoursOld = (name: string, hours: number) => ({ name, createdAt: new Date(now.getTime() - hours * 3_600_000) })
const unused: RenderedReferences = { pools: [], nodes: [], builds: [], history: [] }
const names = (count: number) => Array.from({ length: count }, (_, index) => hoursOld(`r${index}`, index + 2))

test('decideCollect removes the oldest beyond the newest ten', () => {
  const plan = decideCollect(names(12), unused, now)
  expect(plan.remove.map(({ name }) => name)).toEqual(['r10', 'r11'])
  expect(new Set(plan.keep.map(({ reason }) => reason))).toEqual(new Set(['KeptForRollback']))
})

const uses: readonly (readonly [keyof RenderedReferences, string])[] = [
  ['pools', 'UsedByPool'],
  ['nodes', 'UsedByNode'],
  ['builds', 'UsedByBuild'],
  ['history', 'NamedByHistory'],
]

test.each(uses)('decideCollect keeps what %s use, however old', (where, reason) => {
  const plan = decideCollect(names(12), { ...unused, [where]: ['r11'] }, now)
  expect(plan.remove.map(({ name }) => name)).toEqual(['r10'])
  expect(plan.keep).toContainEqual({ name: 'r11', reason })
})

test('decideCollect keeps what is younger than an hour or from the future', () => {
  const plan = decideCollect([hoursOld('young', 0.5), hoursOld('future', -1)], unused, now, { keepNewest: 0 })
  expect(plan.remove).toEqual([])
})

test('decideCollect never removes a referenced or young one, for any set', () => {
  const item = fc.record({ name: fc.integer({ min: 0, max: 30 }), age: fc.integer({ min: 0, max: 10 }) })
  const list = fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 30 })
  fc.assert(
    fc.property(
      list,
      fc.array(fc.integer({ min: 0, max: 30 })),
      fc.integer({ min: 0, max: 5 }),
      (items, used, keepNewest) => {
        const rendered = items.map(({ name, age }) => hoursOld(`r${name}`, age))
        const references = { ...unused, nodes: used.map((name) => `r${name}`) }
        const plan = decideCollect(rendered, references, now, { keepNewest })
        expect(plan.remove.length + plan.keep.length).toBe(items.length)
        for (const { name } of plan.remove) {
          expect(references.nodes).not.toContain(name)
          expect(items.find((entry) => `r${entry.name}` === name)?.age).toBeGreaterThanOrEqual(1)
        }
      },
    ),
  )
})
