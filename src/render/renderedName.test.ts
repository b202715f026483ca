import { expect, test } from 'vitest'
import { renderedName } from './renderedName.ts'
import type { YamlMap } from './specYaml.ts'

const spec = (overrides: YamlMap): YamlMap => ({
  osImageURL: '',
  baseOSExtensionsContainerImage: '',
  kernelArguments: [],
  extensions: [],
  fips: false,
  kernelType: 'default',
  config: { ignition: { version: '3.5.0' } },
  ...overrides,
})

const zero: YamlMap = { ...spec({}), kernelArguments: null, extensions: null, kernelType: '', config: null }

const file = (path: string) => ({
  path,
  user: { name: 'root' },
  mode: 420,
  overwrite: true,
  contents: { source: 'data:,new' },
})

// The test vectors of the name's definition (spec: render 7), pool part left out.
const vectors: readonly (readonly [string, YamlMap, string])[] = [
  ['1: an empty config', spec({}), '6da92b29d98fcd722bbf117520c22ee4'],
  ['2: all zero values', zero, '3c4b955ca6c2518e160dc03b6e7c0ed7'],
  [
    '4: one user',
    spec({
      osImageURL: `quay.io/example/os@sha256:${'a'.repeat(64)}`,
      kernelArguments: ['testKarg', 'kargFromIgnitionDowngrade'],
      extensions: ['usbguard'],
      config: {
        ignition: { version: '3.5.0' },
        passwd: { users: [{ name: 'core', passwordHash: 'testpass', sshAuthorizedKeys: ['5678', '1234'] }] },
      },
    }),
    '6c6e74a12869dc59fe5ec3b9055f44ba',
  ],
  [
    '5: two files',
    spec({
      osImageURL: 'overriddenURL',
      kernelArguments: ['testKarg'],
      fips: true,
      kernelType: 'realtime',
      config: { ignition: { version: '3.5.0' }, storage: { files: [file('/etc/test1'), file('/etc/test2')] } },
    }),
    '68c3388631679e490ce02e0906da0646',
  ],
  [
    '6: text that needs quotes',
    {
      ...zero,
      config: {
        ignition: { version: '3.5.0' },
        storage: { files: [{ path: '/a b: c', contents: { source: 'data:,<a>&b' } }] },
      },
    },
    '033b3800d426cdc5e2220a3220ded30c',
  ],
  [
    '7: folding, tabs and emoji',
    spec({
      config: {
        ignition: { version: '3.5.0' },
        passwd: {
          users: [
            {
              name: 'core',
              sshAuthorizedKeys: [`ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQD${'A'.repeat(49)} user@host another`],
            },
          ],
        },
        systemd: {
          units: [
            { name: 'a.service', enabled: false, contents: '[Unit]\nDescription=tab\there\n' },
            { name: 'b.service', mask: true },
            { name: 'c.service', contents: '[Unit]\nDescription=emoji \u{1F600}\n' },
            { name: 'd.service', contents: '[Service]\nEnvironment=A=<b>&c\n' },
          ],
        },
      },
    }),
    '9b45165a765d7736daf142cbfc6b4e96',
  ],
]

test.each(vectors)('renderedName of vector %s is the recorded one', (_name, value, hash) => {
  expect(renderedName('worker', value)).toMatchObject({ name: `rendered-worker-${hash}` })
})

test('renderedName of two pools with equal content shares the hash', () => {
  const hashOf = (pool: string) => {
    const named = renderedName(pool, spec({}))
    return 'name' in named ? named.name.slice(`rendered-${pool}-`.length) : named.error
  }
  expect(hashOf('infra')).toBe(hashOf('worker'))
})

test('renderedName refuses a control character, naming the place and not the text', () => {
  expect(renderedName('worker', spec({ kernelArguments: ['a', 'secret\x7f'] }))).toEqual({
    error: 'error converting JSON to YAML: yaml: control characters are not allowed',
    path: '$.kernelArguments[1]',
  })
})
