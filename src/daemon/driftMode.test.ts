import { describe, expect, it } from 'vitest'
import { driftModeOf } from './driftMode.ts'

describe('driftModeOf', () => {
  it.each([
    [undefined, 'repair', 'repair'],
    ['', 'accept', 'accept'],
    ['repair', 'degrade', 'repair'],
    ['degrade', 'repair', 'degrade'],
    ['Repair', 'repair', 'degrade'],
    ['off', 'accept', 'degrade'],
  ] as const)('takes pool annotation %s with option %s for %s', (annotation, option, mode) => {
    expect(driftModeOf(annotation, option)).toBe(mode)
  })
})
