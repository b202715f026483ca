import { describe, expect, it } from 'vitest'
import { registriesChangeIsSafe } from './registriesDrain.ts'

const search = (...registries: string[]) => `unqualified-search-registries = ${JSON.stringify(registries)}\n`
const registry = (location: string, body = '', mirrors: readonly string[] = []) =>
  `[[registry]]\nlocation = "${location}"\n${body}\n${mirrors.map((mirror) => `[[registry.mirror]]\n${mirror}\n`).join('')}`
const digestOnly = (location: string) => `location = "${location}"\npull-from-mirror = "digest-only"`
const plain = (location: string) => `location = "${location}"`

describe('registriesChangeIsSafe', () => {
  it.each([
    ['an equal file', search('a'), search('a'), true],
    [
      'a registry whose mirror is pulled by digest only',
      search('a'),
      search('a') + registry('q', '', [digestOnly('m')]),
      true,
    ],
    ['a registry without mirrors or flag', '', registry('q'), false],
    ['a registry without mirrors, by digest only', '', registry('q', 'mirror-by-digest-only = true'), true],
    ['a removed registry', registry('q'), '', false],
    [
      'an added digest-only mirror',
      registry('q', '', [digestOnly('m')]),
      registry('q', '', [digestOnly('m'), digestOnly('n')]),
      true,
    ],
    [
      'an added plain mirror',
      registry('q', '', [digestOnly('m')]),
      registry('q', '', [digestOnly('m'), plain('n')]),
      false,
    ],
    [
      'a plain mirror of a registry by digest only',
      registry('q', 'mirror-by-digest-only = true'),
      registry('q', 'mirror-by-digest-only = true', [plain('m')]),
      true,
    ],
    ['a removed mirror', registry('q', '', [digestOnly('m')]), registry('q'), false],
    ['a search registry removed', search('a', 'b'), search('a'), false],
    ['search registries in another order', search('a', 'b'), search('b', 'a'), false],
    ['a search registry appended', search('a'), search('a', 'b'), true],
    ['blocked switched on', registry('q'), registry('q', 'blocked = true'), false],
  ])('judges %s', (_what, before, after, safe) => {
    expect(registriesChangeIsSafe(before, after).safe).toBe(safe)
  })

  it('refuses a file that is not TOML and says which', () => {
    const verdict = registriesChangeIsSafe(search('a'), 'not toml')
    expect(verdict.safe).toBe(false)
    expect(verdict.error).toMatch(/^failed decoding TOML content from file \/etc\/containers\/registries\.conf: toml: /)
  })

  it('names what makes a change unsafe', () => {
    expect(registriesChangeIsSafe(registry('q', '', [digestOnly('m')]), registry('q')).reason).toBe(
      'mirror m of registry q was removed',
    )
  })
})
