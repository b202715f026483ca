import { describe, expect, it } from 'vitest'
import { convertConfig, convertIgnition, convertibleVersions } from './convert.ts'
import { parseIgnition } from './parseIgnition.ts'
import type { IgnitionConfig } from './types.ts'

const config = (parts: object): IgnitionConfig => ({ ignition: { version: '3.5.0' }, ...parts })
const luks = { name: 'l', device: '/dev/a' }

describe('convertConfig', () => {
  it.each(convertibleVersions)('writes %s with its own version', (to) => {
    expect(convertConfig(config({}), to)).toEqual({ text: `{"ignition":{"version":"${to}.0"}}` })
  })

  it.each([
    [
      'openOptions',
      '3.3',
      config({ storage: { luks: [{ ...luks, openOptions: ['x'] }] } }),
      'Invalid input config: luks openOptions is not supported in spec v3.3',
    ],
    [
      'a missing group',
      '3.1',
      config({ passwd: { groups: [{ name: 'g', shouldExist: false }] } }),
      'ShouldExist in Passwd.Groups is not supported on 3.1',
    ],
    [
      'a missing group',
      '2.2',
      config({ passwd: { groups: [{ name: 'g', shouldExist: false }] } }),
      'ShouldExist in Passwd.Groups is not supported on 2.2',
    ],
    [
      'headers of a part',
      '2.2',
      config({
        storage: {
          files: [{ path: '/a', append: [{ source: 'https://h', httpHeaders: [{ name: 'a', value: 'b' }] }] }],
        },
      }),
      'HTTPHeaders in Storage.Files.Append.* are not supported on 2.2',
    ],
    [
      'a proxy',
      '3.0',
      config({ ignition: { version: '3.5.0', proxy: { httpProxy: 'http://p' } } }),
      '$.ignition.proxy is not supported on 3.0',
    ],
    [
      'headers of a file',
      '3.0',
      config({
        storage: {
          files: [{ path: '/a', contents: { source: 'https://h', httpHeaders: [{ name: 'a', value: 'b' }] } }],
        },
      }),
      '$.storage.files[0].contents.httpHeaders is not supported on 3.0',
    ],
    [
      'mount options',
      '3.0',
      config({
        storage: { filesystems: [{ device: '/dev/a', format: 'xfs', path: '/var', mountOptions: ['noatime'] }] },
      }),
      '$.storage.filesystems[0].mountOptions is not supported on 3.0',
    ],
    [
      'a compressed reference',
      '3.0',
      config({
        ignition: { version: '3.5.0', config: { merge: [{ source: 'https://h', compression: 'gzip' }] } },
      }),
      '$.ignition.config.merge[0].compression is not supported on 3.0',
    ],
    [
      'an unknown version',
      '4.7',
      config({}),
      'conversion for source version 3.5.0 to target version 4.7.0 is not supported the requested conversion is not supported',
    ],
  ])('refuses %s in %s', (_what, to, given, error) => {
    expect(convertConfig(given, to)).toEqual({ error })
  })

  it('writes 3.0, which knows files, units and users, and reads it again as what it was', () => {
    const given = config({
      passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA'] }] },
      storage: { files: [{ path: '/a', contents: { compression: '', source: 'data:,x' }, mode: 0o644 }] },
      systemd: { units: [{ name: 'a.service', enabled: true, contents: '[Install]\nWantedBy=multi-user.target' }] },
    })
    const written = convertConfig(given, '3.0')
    expect('text' in written && parseIgnition(written.text)).toMatchObject({ sourceVersion: '3.0.0', value: given })
  })

  it('refuses a hash in 3.0 that only later versions know', () => {
    const verification = { hash: `sha256-${'0'.repeat(64)}` }
    const given = config({ storage: { files: [{ path: '/a', contents: { source: 'https://h', verification } }] } })
    expect(convertConfig(given, '3.0')).toEqual({ error: expect.stringContaining('unrecognized hash function') })
  })

  it('names a file in 2.2 by the mount above it, whole steps only', () => {
    const given = config({
      storage: {
        filesystems: [{ device: '/dev/a', format: 'xfs', path: '/var' }],
        files: [
          { path: '/var/x', contents: { source: 'data:,' } },
          { path: '/variable', contents: { source: 'data:,' } },
        ],
      },
    })
    const converted = convertConfig(given, '2.2')
    expect('text' in converted && JSON.parse(converted.text).storage.files).toMatchObject([
      { filesystem: '/var', path: '/x' },
      { filesystem: 'root', path: '/variable' },
    ])
  })
})

describe('convertIgnition', () => {
  it.each([
    ['{}', "parsing Ignition config failed with error: invalid config version (couldn't parse)\nReport: "],
    [
      '{"ignition":{"version":"3.9.0"}}',
      'parsing Ignition config failed with error: unsupported config version\nReport: ',
    ],
  ])('refuses %s', (text, error) => {
    expect(convertIgnition(text, '3.5')).toEqual({ error })
  })
})
