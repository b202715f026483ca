import { describe, expect, it } from 'vitest'
import { whyFipsRefused } from './runningFips.ts'

describe('whyFipsRefused', () => {
  const refused = 'detected change to FIPS flag; refusing to modify FIPS on a running cluster'
  it.each<[string | undefined, boolean, string | undefined]>([
    [undefined, true, undefined],
    ['0\n', false, undefined],
    ['1\n', true, undefined],
    ['1', false, refused],
    ['0', true, refused],
    [
      'x',
      true,
      'error parsing FIPS file at /proc/sys/crypto/fips_enabled: strconv.ParseBool: parsing "x": invalid syntax',
    ],
  ])('compares %j with %s', (content, desired, expected) => {
    expect(whyFipsRefused(content, desired)).toBe(expected)
  })
})
