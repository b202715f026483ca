import { describe, expect, test } from 'vitest'
import { countsOfNames, defaultCounts, leftOut, planFleet } from './fleet.ts'

const namesOf = (counts: ReadonlyMap<string, number>): readonly string[] => {
  const plan = planFleet(counts)
  return plan.kind === 'planned' ? plan.nodes.map(({ name }) => name) : []
}

describe('planFleet', () => {
  test.each([
    [1, ['master-0']],
    [3, ['master-0', 'worker-0', 'worker-1']],
    [5, ['master-0', 'master-1', 'master-2', 'worker-0', 'worker-1']],
  ])('plans %i machines as %j', (nodes, names) => {
    expect(namesOf(defaultCounts(nodes))).toEqual(names)
  })
  test('refuses a fleet without machines', () => {
    expect(planFleet(new Map([['worker', 0]]))).toEqual({
      kind: 'refused',
      reason: 'a cluster needs at least one node',
    })
  })
})

describe('countsOfNames', () => {
  test('finds the counts that the names were planned from', () => {
    const counts = new Map([
      ['gpu-a', 2],
      ['master', 3],
      ['worker', 11],
    ])
    expect(countsOfNames(namesOf(counts).toReversed())).toEqual(counts)
  })
  test('takes no notice of other names', () => {
    expect(countsOfNames(['lost+found', 'worker-0'])).toEqual(new Map([['worker', 1]]))
  })
})

describe('leftOut', () => {
  test('names the machines that a smaller plan would never start', () => {
    const plan = planFleet(defaultCounts(4))
    const fleet = plan.kind === 'planned' ? plan.nodes : []
    expect(leftOut(['worker-1', 'worker-0', 'infra-0'], fleet)).toEqual(['infra-0', 'worker-1'])
  })
})
