import { expect, it } from 'vitest'
import { maxUnavailableOf } from './maxUnavailable.ts'

it.each([
  [undefined, 4, 1],
  [null, 4, 1],
  [2, 4, 2],
  [0, 4, 1],
  ['50%', 4, 2],
  ['60%', 4, 2],
  ['1%', 4, 1],
  ['150%', 4, 6],
  [-1, 4, -1],
])('maxUnavailableOf %s of %i nodes is %i', (value, nodes, expected) => {
  expect(maxUnavailableOf(value, nodes)).toEqual({ kind: 'value', nodes: expected })
})

it.each(['50 percent', '60', '40 %', '', '%'])('maxUnavailableOf refuses "%s" and quotes the fault', (value) => {
  const budget = maxUnavailableOf(value, 4)
  expect(budget.kind === 'invalid' && budget.message).toMatch(/^maxUnavailable: invalid value for IntOrString: /)
})
