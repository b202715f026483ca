import { describe, expect, it } from 'vitest'
import { parseIgnition } from '../../ignition/parseIgnition.ts'
import { pointerToIgnition, pointerVersions } from './pointerConfig.ts'

const endpoint = '[fd00::1]:22623'
const caBundle = Buffer.from('CA')
const url = `https://${endpoint}/config/worker`
const security =
  '"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;charset=utf-8;base64,Q0E="}]}}'

describe('pointerToIgnition', () => {
  it.each([
    ['3.5', undefined, `{"ignition":{"config":{"merge":[{"source":"${url}"}]},${security},"version":"3.5.0"}}`],
    [
      '3.1',
      's3cr-t_',
      `{"ignition":{"config":{"merge":[{"httpHeaders":[{"name":"Authorization","value":"Bearer s3cr-t_"}],"source":"${url}"}]},${security},"version":"3.1.0"}}`,
    ],
    [
      '2.2',
      's3cr-t_',
      `{"ignition":{"config":{"append":[{"source":"${url}?token=s3cr-t_"}]},${security},"version":"2.2.0"}}`,
    ],
  ] as const)('writes version %s with token %s as its readers expect it', (version, token, text) => {
    expect(pointerToIgnition({ endpoint, pool: 'worker', caBundle, ...(token && { token }) }, version)).toEqual({
      text,
    })
  })

  it('leaves out the authority when the image trusts the server anyway', () => {
    expect(pointerToIgnition({ endpoint: 'mcs:22623', pool: 'infra' })).toEqual({
      text: '{"ignition":{"config":{"merge":[{"source":"https://mcs:22623/config/infra"}]},"version":"3.5.0"}}',
    })
  })

  it.each(pointerVersions.filter((version) => version !== '3.0'))('is readable in version %s', (version) => {
    const made = pointerToIgnition({ endpoint, pool: 'worker', caBundle, token: 'abc' }, version)
    const text = 'text' in made ? made.text : ''
    const { value, issues } = parseIgnition(text)
    expect([issues, value?.ignition.config?.merge?.length]).toEqual([[], 1])
  })
})
