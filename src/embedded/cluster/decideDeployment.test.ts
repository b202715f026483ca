import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Deployment } from '../../api/apps.ts'
import { type SetView, scaleReplicaSets } from './decideDeployment.ts'

type Strategy = NonNullable<Deployment['spec']>['strategy']

const deployment = (replicas: number, strategy?: Strategy): Deployment => ({
  metadata: { name: 'd' },
  spec: { replicas, selector: {}, template: {}, ...(strategy && { strategy }) },
})
const rolling = (maxSurge: number | string, maxUnavailable: number | string): Strategy => ({
  rollingUpdate: { maxSurge, maxUnavailable },
})
const current = (replicas: number, available = replicas): SetView => ({
  name: 'new',
  isCurrent: true,
  replicas,
  available,
})
const old = (replicas: number, available = replicas, name = 'old'): SetView => ({
  name,
  isCurrent: false,
  replicas,
  available,
})

describe('scaleReplicaSets', () => {
  const rows: [string, Deployment, SetView[], object][] = [
    ['starts with all at once when nothing is old', deployment(3), [current(0)], { new: 3 }],
    ['follows a new wish', deployment(1), [current(3)], { new: 1 }],
    ['does nothing when all is done', deployment(3), [current(3), old(0)], {}],
    [
      'grows by the surge and keeps what must be available',
      deployment(4, rolling(1, 0)),
      [current(0), old(4)],
      { new: 1 },
    ],
    ['shrinks the old as the new become available', deployment(4, rolling(1, 0)), [current(1), old(4)], { old: 3 }],
    ['shrinks first when it may not surge', deployment(4, rolling(0, 1)), [current(0), old(4)], { old: 3 }],
    ['moves by one when both are zero', deployment(4, rolling(0, '10%')), [current(0), old(4)], { old: 3 }],
    [
      'rounds the surge up and what may be down off',
      deployment(3, rolling('25%', '25%')),
      [current(0), old(3)],
      { new: 1 },
    ],
    ['removes old pods that are down already', deployment(3, rolling(1, 0)), [current(1, 0), old(3, 2)], { old: 2 }],
    [
      'empties the old before it starts the new when it recreates',
      deployment(3, { type: 'Recreate' }),
      [current(0), old(3)],
      { old: 0 },
    ],
    [
      'starts the new once the old are empty when it recreates',
      deployment(3, { type: 'Recreate' }),
      [current(0), old(0)],
      { new: 3 },
    ],
    ['waits for the current set', deployment(3), [old(3)], {}],
  ]
  test.each(rows)('%s', (_, subject, sets, expected) => {
    const scales = scaleReplicaSets(subject, sets)
    expect(Object.fromEntries(scales.map(({ name, replicas }) => [name, replicas]))).toEqual(expected)
  })

  test('reaches the wish from any state, never above surge nor below the minimum on its way', () => {
    const size = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        size,
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        (wish, olds, surge, down) => {
          const subject = deployment(wish, rolling(surge, down))
          const least = wish - (surge === 0 && down === 0 ? 1 : down)
          let sets: SetView[] = [current(0), old(olds)]
          for (let step = 0; step < 60; step++) {
            const scales = new Map(scaleReplicaSets(subject, sets).map(({ name, replicas }) => [name, replicas]))
            if (scales.size === 0) break
            const before = sets
            sets = sets.map((set) => {
              const replicas = scales.get(set.name) ?? set.replicas
              return { ...set, replicas, available: Math.min(replicas, set.available) }
            })
            const total = sum(sets, 'replicas')
            expect(total).toBeLessThanOrEqual(Math.max(wish + surge, sum(before, 'replicas')))
            expect(sum(sets, 'available')).toBeGreaterThanOrEqual(Math.min(least, sum(before, 'available')))
            sets = sets.map((set) => ({ ...set, available: set.replicas }))
          }
          expect(sets.map(({ replicas }) => replicas)).toEqual([wish, 0])
        },
      ),
    )
  })
})

const sum = (sets: readonly SetView[], member: 'replicas' | 'available') =>
  sets.reduce((total, set) => total + set[member], 0)
