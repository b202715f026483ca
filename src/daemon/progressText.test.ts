import { describe, expect, it } from 'vitest'
import { planText, progressText } from './progressText.ts'
import type { Step } from './step.ts'

const steps = Array.from(
  { length: 22 },
  (_, index): Step => ({ id: `${index}`, kind: 'remove', path: `/etc/${index}` }),
)

describe('planText', () => {
  it.each([
    [0, 'No steps'],
    [2, '2 steps: 1. remove /etc/0; 2. remove /etc/1'],
  ])('tells %i steps in the words of a dry run', (count, expected) => {
    expect(planText(steps.slice(0, count))).toBe(expected)
  })

  it('counts those that are too many to list', () => {
    expect(planText(steps)).toMatch(/^22 steps: 1\. remove .*; 20\. remove \/etc\/19; and 2 more$/)
  })
})

describe('progressText', () => {
  it.each([
    ['apply', 'Step 3 of 22 is done: remove /etc/2'],
    ['undo', 'Step 3 of 22 is taken back: remove /etc/2'],
  ] as const)('names the step: %s', (phase, expected) => {
    const step: Step = { id: '2', kind: 'remove', path: '/etc/2' }
    expect(progressText({ phase, step, position: 3, count: 22 })).toBe(expected)
  })
})
