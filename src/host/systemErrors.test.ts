import { describe, expect, it } from 'vitest'
import { describeSystemError } from './systemErrors.ts'

describe('describeSystemError', () => {
  it('keeps the code and says what to do where a person must act', () => {
    expect(describeSystemError('ENOSPC')).toBe('ENOSPC, no space is left; free some on this filesystem (df -h, df -i)')
    expect(describeSystemError('ENOENT')).toBe('ENOENT')
  })
})
