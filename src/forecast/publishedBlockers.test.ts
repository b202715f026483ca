import { expect, test } from 'vitest'
import { publishedBlockers } from './publishedBlockers.ts'

const blocker = { namespace: 'shop', pod: 'web-0', reason: 'DisruptionBudget', message: 'it cannot be evicted' }
const read = (value: unknown) =>
  publishedBlockers({ 'machineconfig.io/drain-blockers': typeof value === 'string' ? value : JSON.stringify(value) })

test('publishedBlockers reads what the drain controller wrote', () => {
  const budget = { name: 'web', disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 }
  expect(read({ since: '', attempts: 1, total: 12, blockers: [{ ...blocker, budget }] })).toEqual({
    total: 12,
    blockers: [{ ...blocker, budget }],
  })
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['not json', undefined],
  ['[]', undefined],
  ['{"blockers":7}', undefined],
  [{ blockers: [null, 7, 'x', {}, blocker] }, { total: 1, blockers: [blocker] }],
  [
    {
      total: 'many',
      blockers: [
        { ...blocker, budget: 'web' },
        { ...blocker, error: 7 },
      ],
    },
    { total: 0, blockers: [] },
  ],
])('publishedBlockers takes %j for %j', (value, expected) => {
  expect(value === undefined ? publishedBlockers(undefined) : read(value)).toEqual(expected)
})
