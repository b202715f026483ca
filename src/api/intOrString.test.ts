import { describe, expect, test } from 'vitest'
import { scaledValue } from './intOrString.ts'

describe('scaledValue', () => {
  test.each([
    [1, 10, false, 1],
    [0, 10, false, 0],
    ['50%', 3, false, 1],
    ['50%', 3, true, 2],
    ['100%', 7, false, 7],
    ['0%', 7, true, 0],
    ['33%', 10, false, 3],
    ['150%', 10, false, 15],
  ])('%s of %i (round up %s) is %i', (value, total, roundUp, expected) => {
    expect(scaledValue(value, total, { roundUp })).toEqual({ value: expected })
  })

  test.each(['5', 'x%', '%', '1.5%', ''])('refuses %j', (value) => {
    expect(scaledValue(value, 10)).toEqual({ error: expect.stringContaining('is not a percentage') })
  })
})
