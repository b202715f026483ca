import { describe, expect, test } from 'vitest'
import type { Pod } from '../../api/core.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import { disruptionStatus } from './disruptionStatus.ts'

const now = new Date('2026-01-01T00:10:00Z')
const pod = (name: string, { ready = true, terminating = false } = {}): Pod => ({
  metadata: { name, ...(terminating && { deletionTimestamp: '2026-01-01T00:09:59Z' }) },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
})
const budget = (
  spec: PodDisruptionBudget['spec'],
  disruptedPods: Record<string, string> = {},
): PodDisruptionBudget => ({
  metadata: { name: 'b', generation: 2 },
  spec: spec ?? {},
  status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, disruptedPods },
})
const three = [pod('a'), pod('b'), pod('c')]
const numbers = (allowed: number, current: number, desired: number, expected: number) => ({
  disruptionsAllowed: allowed,
  currentHealthy: current,
  desiredHealthy: desired,
  expectedPods: expected,
})

describe('disruptionStatus', () => {
  const rows: [string, PodDisruptionBudget, readonly Pod[], number | undefined, object][] = [
    [
      'minAvailable as a number counts the pods that are there',
      budget({ minAvailable: 2 }),
      three,
      undefined,
      numbers(1, 3, 2, 3),
    ],
    [
      'minAvailable in percent is of the wish, rounded up',
      budget({ minAvailable: '50%' }),
      three,
      5,
      numbers(0, 3, 3, 5),
    ],
    ['maxUnavailable is of the wish', budget({ maxUnavailable: 1 }), three, 4, numbers(0, 3, 3, 4)],
    ['maxUnavailable in percent is rounded up', budget({ maxUnavailable: '10%' }), three, 3, numbers(1, 3, 2, 3)],
    ['maxUnavailable above the wish wants nothing', budget({ maxUnavailable: 9 }), three, 3, numbers(3, 3, 0, 3)],
    [
      'a pod that is not ready is not healthy',
      budget({ minAvailable: 2 }),
      [...three.slice(1), pod('a', { ready: false })],
      undefined,
      numbers(0, 2, 2, 3),
    ],
    [
      'a terminating pod is not healthy',
      budget({ minAvailable: 1 }),
      [pod('a'), pod('b', { terminating: true })],
      undefined,
      numbers(0, 1, 1, 2),
    ],
    [
      'a granted eviction is not healthy',
      budget({ minAvailable: 1 }, { a: '2026-01-01T00:09:00Z' }),
      three,
      undefined,
      numbers(1, 2, 1, 3),
    ],
    [
      'a granted eviction expires after two minutes',
      budget({ minAvailable: 1 }, { a: '2026-01-01T00:08:00Z' }),
      three,
      undefined,
      numbers(2, 3, 1, 3),
    ],
    ['no pods allow nothing', budget({ minAvailable: 0 }), [], undefined, numbers(0, 0, 0, 0)],
  ]
  test.each(rows)('%s', (_, subject, pods, expectedByOwners, expected) => {
    expect(disruptionStatus(subject, { pods, expectedByOwners }, now).status).toMatchObject({
      observedGeneration: 2,
      ...expected,
    })
  })

  test('its condition says whether an eviction would be granted', () => {
    const conditionOf = (subject: PodDisruptionBudget) =>
      disruptionStatus(subject, { pods: three, expectedByOwners: undefined }, now).status.conditions
    expect(conditionOf(budget({ minAvailable: 2 }))).toEqual([
      {
        type: 'DisruptionAllowed',
        status: 'True',
        reason: 'SufficientPods',
        message: '',
        lastTransitionTime: '2026-01-01T00:10:00Z',
        observedGeneration: 2,
      },
    ])
    expect(conditionOf(budget({ minAvailable: 3 }))).toMatchObject([{ status: 'False', reason: 'InsufficientPods' }])
    expect(conditionOf(budget({ maxUnavailable: 1 }))).toMatchObject([
      { status: 'False', reason: 'SyncFailed', message: 'found no controllers with a scale for the selected pods' },
    ])
  })

  test('keeps granted evictions of pods that still stand, and says when the first expires', () => {
    const subject = budget(
      { minAvailable: 1 },
      { a: '2026-01-01T00:09:30Z', b: '2026-01-01T00:09:00Z', gone: '2026-01-01T00:09:30Z' },
    )
    const { status, lookAgainAt } = disruptionStatus(subject, { pods: three, expectedByOwners: undefined }, now)
    expect([status.disruptedPods, lookAgainAt]).toEqual([
      { a: '2026-01-01T00:09:30Z', b: '2026-01-01T00:09:00Z' },
      new Date('2026-01-01T00:11:00Z'),
    ])
  })
})
