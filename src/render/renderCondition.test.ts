import { expect, test } from 'vitest'
import type { LooseCondition } from '../api/meta.ts'
import { setRenderDegraded } from './renderCondition.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const before = '2025-01-01T00:00:00Z'
const degraded = (status: string, message = ''): LooseCondition => ({
  type: 'RenderDegraded',
  status,
  reason: '',
  message,
  lastTransitionTime: before,
})
const updated: LooseCondition = { ...degraded('True'), type: 'Updated' }

test.each<readonly [string, readonly LooseCondition[], string | undefined, readonly LooseCondition[] | undefined]>([
  ['no condition yet', [], undefined, [{ ...degraded('False'), lastTransitionTime: '2026-01-02T03:04:05Z' }]],
  ['success again', [degraded('False')], undefined, undefined],
  ['the same failure again', [degraded('True', 'x')], 'x', undefined],
  ['another failure', [degraded('True', 'x'), updated], 'y', [updated, degraded('True', 'y')]],
  [
    'success after a failure',
    [degraded('True', 'x'), updated],
    undefined,
    [updated, { ...degraded('False'), lastTransitionTime: '2026-01-02T03:04:05Z' }],
  ],
  ['two entries', [degraded('True', 'x'), degraded('True', 'x')], 'y', [degraded('True', 'y')]],
])('setRenderDegraded with %s', (_name, conditions, failure, expected) => {
  expect(setRenderDegraded(conditions, failure, now)).toEqual(expected)
})
