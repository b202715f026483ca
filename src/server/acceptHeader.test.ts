import { describe, expect, it } from 'vitest'
import { negotiateVersion } from './acceptHeader.ts'

const type = 'application/vnd.coreos.ignition+json'

describe('negotiateVersion', () => {
  it.each([
    ['Ignition 0.x', `${type}; version=2.4.0, ${type}; version=1; q=0.5, */*; q=0.1`, '2.2.0'],
    ['Ignition 2.x', `${type};version=3.5.0, */*;q=0.1`, '3.5.0'],
    ['Ignition 2.x, older', `${type};version=3.1.0, */*;q=0.1`, '3.1.0'],
    ['no version', type, '2.2.0'],
    ['another type', 'text/plain', '2.2.0'],
    ['no type at all', 'an-invalid-accept-header', '2.2.0'],
    ['newer than ours', `${type};version=3.99.0, */*;q=0.1`, '3.5.0'],
    ['absent', undefined, '2.2.0'],
    ['empty', '', '2.2.0'],
    ['anything', '*/*', '2.2.0'],
    ['2.2.7', `${type};version=2.2.7`, '2.2.0'],
    ['2.99.0', `${type};version=2.99.0`, '2.2.0'],
    ['a patch version', `${type};version=3.1.5`, '3.1.0'],
    ['a pre-release', `${type};version=3.6.0-experimental`, '3.5.0'],
    ['a quoted version', `${type};version="3.4.0"`, '2.2.0'],
    ['blanks around =', `${type};version = 3.4.0`, '2.2.0'],
    ['an upper-case name', `${type};Version=3.4.0`, '2.2.0'],
    ['another main type', 'text/vnd.coreos.ignition+json;version=3.4.0', '3.4.0'],
    ['by preference', `${type};version=3.4.0;q=0.2, ${type};version=3.2.0`, '3.2.0'],
    ['3.0', `${type};version=3.0.0`, '3.0.0'],
    ['a preference that is no number', `${type};version=3.4.0;q=x, ${type};version=3.2.0;q=0.9`, '3.4.0'],
  ])('accepts %s', (_what, accept, version) => {
    expect(negotiateVersion(accept)).toEqual({ kind: 'accepted', version })
  })

  it.each([
    ['a newer major version', `${type};version=4.0.0, */*;q=0.1`],
    ['2.1.0', `${type};version=2.1.0`],
    ['1.0.0', `${type};version=1.0.0`],
    ['a first choice that cannot be had, whatever follows', `${type};version=4.0.0, ${type};version=3.4.0;q=0.9`],
  ])('refuses %s', (_what, accept) => {
    const message = `unsupported Ignition version in Accept header: ${accept}`
    expect(negotiateVersion(accept)).toEqual({ kind: 'refused', message })
  })

  it('reads a header of 16 KiB of separators without effort', () => {
    expect(negotiateVersion(',;'.repeat(8192))).toEqual({ kind: 'accepted', version: '2.2.0' })
  })
})
