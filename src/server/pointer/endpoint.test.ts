import { describe, expect, it } from 'vitest'
import type { Infrastructure } from '../../api/config.ts'
import { endpointOf, parseEndpoint } from './endpoint.ts'

describe('parseEndpoint', () => {
  it.each([
    ['mcs.example.com', 'mcs.example.com:22623', 'mcs.example.com'],
    ['mcs:8443', 'mcs:8443', 'mcs'],
    ['https://10.0.0.1:22623/', '10.0.0.1:22623', '10.0.0.1'],
    ['fd00::1', '[fd00::1]:22623', 'fd00::1'],
    ['[fd00::1]:8443', '[fd00::1]:8443', 'fd00::1'],
  ])('reads %s', (text, endpoint, name) => expect(parseEndpoint(text)).toEqual({ endpoint, names: [name] }))

  it.each([
    '',
    'http://mcs',
    'https://mcs/config/worker',
    'a b',
    'mcs:0',
    'mcs:70000',
    'user@mcs',
    '[zz]',
    'mcs"',
    '-a',
  ])('refuses %j', (text) => expect(parseEndpoint(text)).toHaveProperty('message'))
})

const uri = 'https://api-int.x.example:6443'
const infrastructure = (status: object) => ({ metadata: { name: 'cluster' }, spec: {}, status }) as Infrastructure

describe('endpointOf', () => {
  it.each<readonly [string, object, string | undefined, readonly string[] | undefined]>([
    [
      'any other platform',
      { platform: 'AWS', apiServerInternalURI: uri },
      'api-int.x.example:22623',
      ['api-int.x.example'],
    ],
    [
      'BareMetal',
      {
        apiServerInternalURI: uri,
        platformStatus: { type: 'BareMetal', baremetal: { apiServerInternalIPs: ['fd00::5', '10.0.0.5'] } },
      },
      '[fd00::5]:22623',
      ['api-int.x.example', 'fd00::5', '10.0.0.5'],
    ],
    [
      'BareMetal without addresses',
      { apiServerInternalURI: uri, platformStatus: { type: 'BareMetal', baremetal: { apiServerInternalIPs: [] } } },
      'api-int.x.example:22623',
      ['api-int.x.example'],
    ],
    [
      'VSphere',
      {
        apiServerInternalURI: uri,
        platformStatus: { type: 'VSphere', vsphere: { apiServerInternalIPs: ['10.0.0.5'] } },
      },
      '10.0.0.5:22623',
      ['api-int.x.example', '10.0.0.5'],
    ],
    [
      'Nutanix: its addresses only in the certificate',
      {
        apiServerInternalURI: uri,
        platformStatus: { type: 'Nutanix', nutanix: { apiServerInternalIPs: ['10.0.0.5'] } },
      },
      'api-int.x.example:22623',
      ['api-int.x.example', '10.0.0.5'],
    ],
    [
      'an address as URI',
      { platform: 'None', apiServerInternalURI: 'https://[fd00::1]:6443' },
      '[fd00::1]:22623',
      ['fd00::1'],
    ],
    ['a cluster that says nothing', { platform: 'None' }, undefined, undefined],
    ['an unreadable URI', { platform: 'None', apiServerInternalURI: 'api-int' }, undefined, undefined],
  ])('on %s', (_what, status, endpoint, names) =>
    expect(endpointOf(infrastructure(status))).toEqual(endpoint === undefined ? undefined : { endpoint, names }),
  )

  it('knows nothing without an Infrastructure', () => {
    expect([endpointOf(null), endpointOf(undefined)]).toEqual([undefined, undefined])
  })
})
