import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthority, issueCertificate } from '../certificates/issueCertificate.ts'
import { systemClock } from '../kube/clock.ts'
import { ConfigRefused, followPointer, type PointerTarget, parsePointer } from './followPointer.ts'

const inline = (text: string) => `data:;base64,${Buffer.from(text).toString('base64')}`
const pointer = (config: object, security: object = {}) =>
  JSON.stringify({ ignition: { version: '3.5.0', config, security } })

describe('parsePointer', () => {
  it('reads URL, headers and authorities', () => {
    const text = pointer(
      { merge: [{ source: 'https://a:1/config/worker', httpHeaders: [{ name: 'Authorization', value: 'Bearer t' }] }] },
      { tls: { certificateAuthorities: [{ source: inline('PEM') }] } },
    )
    expect(parsePointer(text)).toEqual({
      url: new URL('https://a:1/config/worker'),
      headers: { Authorization: 'Bearer t' },
      authorities: ['PEM'],
    })
  })

  it.each([
    ['what is no JSON', '{', /not JSON/],
    ['what is no Ignition', '{"ignition":{"version":"9.0.0"}}', /./],
    ['no config to fetch', pointer({}), /exactly one config/],
    ['two of them', pointer({ merge: [{ source: 'https://a/' }, { source: 'https://b/' }] }), /exactly one config/],
    ['plain HTTP', pointer({ replace: { source: 'http://a/' } }), /https URL/],
    [
      'an authority that would have to be fetched',
      pointer({ replace: { source: 'https://a/' } }, { tls: { certificateAuthorities: [{ source: 'https://c/' }] } }),
      /given inline/,
    ],
  ])('refuses %s', (_name, text, message) => {
    expect(parsePointer(text)).toMatchObject({ message: expect.stringMatching(message) })
  })
})

describe('followPointer', () => {
  const answers: number[] = []
  const seen: (string | undefined)[] = []
  let server: Server
  let target: PointerTarget

  beforeEach(async () => {
    const now = new Date()
    const authority = await createAuthority('test', now)
    const names = { commonName: 'localhost', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] }
    const pair = await issueCertificate(authority, { kind: 'server', ...names }, now)
    server = createServer({ cert: pair.certificatePem, key: pair.keyPem }, ({ headers }, response) => {
      seen.push(headers.authorization)
      response.writeHead(answers.shift() ?? 200, { 'x-machine-config-error': 'SomeReason' }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    target = {
      url: new URL(`https://127.0.0.1:${port}/config/worker`),
      headers: { authorization: 'Bearer t' },
      authorities: [authority.certificatePem],
    }
  })
  afterEach(() => {
    server.close()
    answers.splice(0)
    seen.splice(0)
  })

  const follow = (retries: string[] = []) => {
    const clock = { ...systemClock, sleep: async () => undefined }
    return followPointer(target, { clock, random: Math.random, onRetry: (message) => retries.push(message) })
  }

  it('asks again after a 5xx, with the token, and says why', async () => {
    answers.push(503, 500)
    const retries: string[] = []
    expect(await follow(retries)).toBe('{}')
    expect(seen).toEqual(['Bearer t', 'Bearer t', 'Bearer t'])
    expect(retries).toEqual([
      `${target.url.href}: the config server answered 503 (SomeReason)`,
      `${target.url.href}: the config server answered 500 (SomeReason)`,
    ])
  })

  it('gives up on a refusal', async () => {
    answers.push(403)
    await expect(follow()).rejects.toThrow(new ConfigRefused('the config server answered 403 (SomeReason)'))
  })
})
