import { describe, expect, it } from 'vitest'
import { swapAuthority, upgradeStub } from './userDataText.ts'

const bundle = Buffer.from('-----BEGIN CERTIFICATE-----\nb\n-----END CERTIFICATE-----\n')
const source = `data:text/plain;charset=utf-8;base64,${bundle.toString('base64')}`
const stub = (authorities: unknown) =>
  JSON.stringify({
    ignition: { version: '3.2.0', security: { tls: { certificateAuthorities: authorities } } },
    custom: { kept: true },
  })

describe('swapAuthority', () => {
  it('replaces the one entry, keeps everything else, and writes nothing the second time', () => {
    const before = stub([{ source: 'data:,old', verification: {} }])
    const swapped = swapAuthority(before, bundle)
    expect(swapped).toEqual({ kind: 'changed', text: stub([{ source, verification: {} }]) })
    expect(swapAuthority('text' in swapped ? swapped.text : '', bundle)).toEqual({ kind: 'unchanged' })
  })

  it('works on a stub of specification 2', () => {
    const text = JSON.stringify({
      ignition: { version: '2.2.0', security: { tls: { certificateAuthorities: [{ source: 'data:,old' }] } } },
    })
    expect(swapAuthority(text, bundle)).toEqual({ kind: 'changed', text: text.replace('data:,old', source) })
  })

  it.each([
    ['a script', '#!/bin/sh\necho hunter2', 'skipped', 'not JSON'],
    ['nothing', '', 'skipped', 'not JSON'],
    ['a list', '[1]', 'skipped', 'no object "ignition"'],
    ['null', 'null', 'skipped', 'no object "ignition"'],
    ['ignition that is a list', '{"ignition":[]}', 'skipped', 'no object "ignition"'],
    ['no authority', '{"ignition":{"version":"3.2.0"}}', 'refused', 'found no entry'],
    ['an empty list', stub([]), 'refused', 'found no entry'],
    ['two authorities', stub([{ source: 'a' }, { source: 'b' }]), 'refused', 'additional CAs detected'],
    ['an entry that is a text', stub(['hunter2']), 'refused', 'not an object'],
  ])('leaves %s alone and says why without quoting it', (_what, text, kind, message) => {
    const result = swapAuthority(text, bundle)
    expect(result).toMatchObject({ kind, message: expect.stringContaining(message) })
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })
})

describe('upgradeStub', () => {
  it('converts a pointer of specification 2, with its empty members', () => {
    const text =
      '{"ignition":{"config":{"append":[{"source":"https://api-int.dev:22623/config/worker","verification":{}}]},"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;charset=utf-8;base64,Q0E=","verification":{}}]}},"timeouts":{},"version":"2.2.0"},"networkd":{},"passwd":{},"storage":{},"systemd":{}}'
    expect(upgradeStub(text)).toEqual({
      kind: 'changed',
      text: '{"ignition":{"config":{"merge":[{"source":"https://api-int.dev:22623/config/worker"}]},"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;charset=utf-8;base64,Q0E="}]}},"version":"3.5.0"}}',
    })
  })

  it.each([
    ['3.0', '{"ignition":{"version":"3.0.0"}}', 'unchanged'],
    ['3.5', '{"ignition":{"version":"3.5.0"}}', 'unchanged'],
    ['1.0', '{"ignition":{"version":"1.0.0"}}', 'refused'],
    ['2.3', '{"ignition":{"version":"2.3.0"}}', 'refused'],
    ['no version', '{"ignition":{}}', 'refused'],
    ['a number as version', '{"ignition":{"version":3}}', 'refused'],
    ['no JSON', 'nope', 'skipped'],
  ])('of %s', (_what, text, kind) => {
    expect(upgradeStub(text).kind).toBe(kind)
  })
})
