import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ignitionFromValue, mergeWireError, parseIgnition } from './parseIgnition.ts'
import { ignitionToJson } from './serialize.ts'

const v3 = (parts: object, version = '3.5.0'): string => JSON.stringify({ ignition: { version }, ...parts })
const reportOf = (text: string): string | undefined =>
  parseIgnition(text)
    .wireError?.split('Report: ')[1]
    ?.replace(/, line \d+ col \d+/g, '')
const v2File = (parts: object): object => ({
  storage: { files: [{ filesystem: 'root', path: '/a', mode: 420, contents: { source: 'data:,x' }, ...parts }] },
})

describe('parseIgnition', () => {
  it('never throws, and gives either a value or an error', () => {
    const any = fc.oneof(
      fc.string(),
      fc.json(),
      fc.anything().map((value) => JSON.stringify(value) ?? ''),
      almostConfig,
    )
    fc.assert(
      fc.property(any, (text) => {
        const { value, wireError } = parseIgnition(text)
        expect(value === undefined).toBe(wireError !== undefined)
      }),
      { numRuns: 500 },
    )
  })

  it('reads back what was written', () => {
    fc.assert(
      fc.property(almostConfig, (text) => {
        const { value } = parseIgnition(text)
        if (value === undefined) return
        const written = ignitionToJson(value)
        expect(ignitionToJson(parseIgnition(written).value ?? value)).toBe(written)
      }),
      { numRuns: 300 },
    )
  })

  it('places an issue by line and column, with JSON path, in the text of the user', () => {
    const text = '{\n  "ignition": {"version": "3.4.0"},\n  "storage": {"files": [\n    {"path": "a"}]}}'
    expect(parseIgnition(text).issues).toEqual([
      {
        severity: 'error',
        path: '$.storage.files[0].path',
        message: 'path not absolute: found a, expected a path from / on',
        line: 4,
        column: 14,
      },
    ])
  })

  it('asks whether a decimal mode was meant as octal', () => {
    const { value, issues } = parseIgnition(v3({ storage: { files: [{ path: '/a', mode: 644 }] } }))
    expect(value).toBeDefined()
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ severity: 'warning', path: '$.storage.files[0].mode' })
    expect(issues[0]?.message).toContain('did you mean 0644 (420)?')
  })

  it('warns of keys that the declared version does not know', () => {
    const { issues, value } = parseIgnition(v3({ kernelArguments: { shouldExist: ['a'] }, extra: 1 }, '3.2.0'))
    expect(issues.map(({ severity, path, message }) => [severity, path, message.split(':')[0]])).toEqual([
      ['warning', '$.kernelArguments', 'unused key kernelArguments'],
      ['warning', '$.extra', 'unused key extra'],
    ])
    expect(value).toEqual({ ignition: { version: '3.5.0' } })
  })

  it('keeps an empty list apart from an absent one, and drops empty objects and nulls', () => {
    const text = v3({ storage: { files: [{ path: '/a', append: [], user: {}, contents: { source: null } }] } })
    expect(parseIgnition(text).value?.storage?.files).toEqual([{ path: '/a', append: [] }])
  })

  // Public specification v3.x, "Validation"; wording as the reference reports it.
  it.each([
    [
      'a file in a unit',
      {
        storage: { files: [{ path: '/etc/systemd/system/a.service' }] },
        systemd: { units: [{ name: 'a.service', contents: '[Unit]\n' }] },
      },
      'error at $.storage.files.0.path: path conflicts with systemd unit or dropin\n',
    ],
    [
      'a hash without a source',
      { storage: { files: [{ path: '/a', contents: { verification: { hash: `sha512-${'0'.repeat(128)}` } } }] } },
      'error at $.storage.files.0.contents.verification.hash: source must be specified if verification is specified\n',
    ],
    [
      'overlapping partitions',
      {
        storage: {
          disks: [
            {
              device: '/dev/a',
              partitions: [
                { number: 1, startMiB: 1, sizeMiB: 10 },
                { number: 2, startMiB: 5, sizeMiB: 1 },
              ],
            },
          ],
        },
      },
      'error at $.storage.disks.0.partitions.1: partitions overlap\n',
    ],
    [
      'a hard link to a directory',
      { storage: { directories: [{ path: '/d' }], links: [{ path: '/l', target: '/d', hard: true }] } },
      'error at $.storage.links.0: hard link target is a directory\n',
    ],
    [
      'a link below a link',
      {
        storage: {
          links: [
            { path: '/l', target: '/d' },
            { path: '/l/m', target: '/d' },
          ],
        },
      },
      'error at $.storage.links.1: link path includes link in config\n',
    ],
    [
      'an S3 source with an empty version',
      { storage: { files: [{ path: '/a', contents: { source: 's3://b/k?versionId=' } }] } },
      'error at $.storage.files.0.contents.source: invalid S3 object VersionId\n',
    ],
    [
      'an ARN of another service',
      { storage: { files: [{ path: '/a', contents: { source: 'arn:aws:iam:::b/k' } }] } },
      'error at $.storage.files.0.contents.source: invalid S3 ARN format\n',
    ],
    [
      'a header with an empty value',
      {
        storage: {
          files: [{ path: '/a', contents: { source: 'https://h', httpHeaders: [{ name: 'a', value: '' }] } }],
        },
      },
      'error at $.storage.files.0.contents.httpHeaders.0.value: unable to parse HTTP header\n',
    ],
    [
      'zero and missing partitions',
      { storage: { disks: [{ device: '/dev/a', partitions: [{ label: 'x' }, { number: 2, shouldExist: false }] }] } },
      'error at $.storage.disks.0.partitions: shouldExist is false for a partition and other partition(s) has start or size 0\n',
    ],
    [
      'a long volume label',
      { storage: { luks: [{ name: 'l', device: '/dev/a', label: 'x'.repeat(48) }] } },
      'error at $.storage.luks.0.label: luks device labels cannot be longer than 47 characters\n',
    ],
    [
      'custom clevis beside tpm2',
      {
        storage: {
          luks: [{ name: 'l', device: '/dev/a', clevis: { tpm2: true, custom: { pin: 'tang', config: '{}' } } }],
        },
      },
      'error at $.storage.luks.0.clevis: cannot use custom clevis config with tpm2, tang, or threshold\n',
    ],
    [
      'an advertisement that is no JSON',
      {
        storage: {
          luks: [
            {
              name: 'l',
              device: '/dev/a',
              clevis: { tang: [{ url: 'https://t', thumbprint: 'x', advertisement: '{' }] },
            },
          ],
        },
      },
      'error at $.storage.luks.0.clevis.tang.0.advertisement: advertisement is not valid JSON\n',
    ],
    [
      'cex beside a key file',
      { storage: { luks: [{ name: 'l', device: '/dev/a', cex: { enabled: true }, keyFile: { source: 'data:,k' } }] } },
      'error at $.storage.luks.0.cex: cannot use key file with cex\n',
    ],
  ])('refuses %s', (_what, parts, report) => {
    expect(reportOf(v3(parts))).toBe(report)
  })

  it.each([
    ['3.3.0', { storage: { files: [{ path: '/a', contents: { source: 'arn:aws:s3:::b/k' } }] } }, false],
    ['3.4.0', { storage: { files: [{ path: '/a', contents: { source: 'arn:aws:s3:::b/k' } }] } }, true],
    ['3.1.0', { storage: { files: [{ path: '/a', contents: { source: 'gs://b/k' } }] } }, false],
    ['3.2.0', { storage: { files: [{ path: '/a', contents: { source: 'gs://b/k' } }] } }, true],
    ['3.2.0', { storage: { raid: [{ name: 'm', level: '', devices: ['/a'] }] } }, false],
    ['3.2.0', { storage: { links: [{ path: '/l' }] } }, true],
    ['3.3.0', { storage: { links: [{ path: '/l' }] } }, false],
    ['3.0.0', { ignition: { version: '3.0.0', config: { merge: [{}] } } }, true],
    ['3.1.0', { ignition: { version: '3.1.0', config: { merge: [{}] } } }, false],
  ])('%s judges %j by its own rules', (version, parts, accepted) => {
    expect(parseIgnition(v3(parts, version)).value !== undefined).toBe(accepted)
  })

  it('joins objects under a repeated key, in any case, and lets a later null change nothing', () => {
    const text =
      '{"ignition":{"version":"3.5.0"},"storage":{"files":[{"path":"/a","path":null}]},"storage":{"links":[]},"Storage":{"raid":[]}}'
    expect(parseIgnition(text).value?.storage).toEqual({ files: [{ path: '/a' }], links: [], raid: [] })
  })

  it('reports the wrong type that stands first in the text', () => {
    const text = v3({ systemd: { units: [{ name: 5 }] }, storage: { files: [{ mode: '1', path: 5 }] } })
    expect(parseIgnition(text).issues[0]?.path).toBe('$.systemd.units[0].name')
  })

  it('warns that 3.4 loses advertisements of tang servers', () => {
    const text = (version: string): string =>
      v3(
        {
          storage: {
            luks: [
              {
                name: 'l',
                device: '/dev/a',
                clevis: { tang: [{ url: 'https://t', thumbprint: 'x', advertisement: '{}' }] },
              },
            ],
          },
        },
        version,
      )
    const { issues, value } = parseIgnition(text('3.4.0'))
    expect(issues).toMatchObject([{ severity: 'warning', path: '$.storage.luks[0].clevis.tang[0].advertisement' }])
    expect(value?.storage?.luks?.[0]?.clevis?.tang).toEqual([{ url: 'https://t', thumbprint: 'x' }])
    expect(parseIgnition(text('3.5.0'))).toMatchObject({
      issues: [],
      value: { storage: { luks: [{ clevis: { tang: [{ advertisement: '{}' }] } }] } },
    })
  })

  it('tells parse errors from conversion errors', () => {
    const user = v3({ passwd: { users: [{ name: 'admin' }] } }, '2.2.0')
    expect(parseIgnition(user)).toMatchObject({ family: 2, stage: 'convert', sourceVersion: '2.2.0' })
    expect(mergeWireError(parseIgnition(user))).toBe('unexpected user with name: admin. Only core user is supported')
    expect(mergeWireError(parseIgnition('[]'))).toMatch(
      /^failed to parse Ignition config: parsing Ignition config spec v3/,
    )
    expect(mergeWireError(parseIgnition(v3({})))).toBeUndefined()
  })

  it.each([
    ['a key that 2.2 does not know', v2File({ bogus: 1 }), 'Config has unrecognized key: bogus'],
    [
      'an enabled unit without install section',
      { systemd: { units: [{ name: 'a.service', enabled: true, contents: '[Unit]\nA=b\n' }] } },
      'unit "a.service" is enabled, but has no install section so enable does nothing',
    ],
    ['a file without mode', v2File({ mode: undefined }), 'permissions unset, defaulting to 0000'],
  ])('warns in spec 2 of %s', (_what, parts, message) => {
    expect(parseIgnition(v3(parts, '2.2.0')).issues).toMatchObject([{ severity: 'warning', message }])
  })

  it.each([
    ['append and overwrite', v2File({ append: true, overwrite: true }), 'cannot set both append and overwrite to true'],
    [
      'filesystem without mount and path',
      { storage: { filesystems: [{ name: 'x' }] } },
      'filesystem is missing mount or path',
    ],
    [
      'create beside user fields',
      { passwd: { users: [{ name: 'core', create: { uid: 1 }, uid: 2 }] } },
      'cannot use both the create object and the user-level uid field',
    ],
    ['networkd unit with a wrong name', { networkd: { units: [{ name: 'x' }] } }, 'invalid networkd unit extension'],
    [
      'sha256',
      v2File({ contents: { source: 'https://h', verification: { hash: `sha256-${'0'.repeat(64)}` } } }),
      'unrecognized hash function',
    ],
    ['relative raid device', { storage: { raid: [{ name: 'm', level: '1', devices: ['a'] }] } }, 'path not absolute'],
    ['wrong type', { storage: { files: {} } }, 'json: cannot unmarshal object into Go value of type []types.File'],
  ])('refuses in spec 2: %s', (_what, parts, message) => {
    const { wireError, issues } = parseIgnition(v3(parts, '2.2.0'))
    expect(wireError?.split('\n')).toContain(message)
    expect(issues.some(({ severity }) => severity === 'error')).toBe(true)
  })
})

describe('ignitionFromValue', () => {
  it('judges an object like its compact text', () => {
    fc.assert(
      fc.property(almostConfig, (text) => {
        const fromText = parseIgnition(JSON.stringify(JSON.parse(text)))
        expect(ignitionFromValue(JSON.parse(text))).toEqual(fromText)
      }),
      { numRuns: 200 },
    )
  })

  it('reads integers that are bigint', () => {
    const value = { ignition: { version: '3.5.0' }, passwd: { users: [{ name: 'a', uid: 5n }] } }
    expect(ignitionFromValue(value).value?.passwd?.users).toEqual([{ name: 'a', uid: 5 }])
    const tooBig = { ignition: { version: '3.5.0' }, passwd: { users: [{ name: 'a', uid: 2n ** 64n }] } }
    expect(ignitionFromValue(tooBig).wireError).toContain(
      'cannot unmarshal number 18446744073709551616 into Go struct field PasswdUser.passwd.users.uid',
    )
  })
})

/** Configs that are mostly right, so that the rules behind the types are reached too. */
const word = fc.constantFrom(
  '',
  '/a',
  '/a/b',
  'a',
  'a.service',
  '[Unit]\nA=b\n',
  '[x',
  'data:,x',
  'https://h',
  'gzip',
  'root',
)
const scalar = fc.oneof(word, fc.integer({ min: -2, max: 70000 }), fc.boolean(), fc.constant(null))
const node = fc.dictionary(
  fc.constantFrom(
    'path',
    'mode',
    'overwrite',
    'user',
    'group',
    'contents',
    'append',
    'target',
    'hard',
    'device',
    'name',
    'bogus',
  ),
  fc.oneof(
    scalar,
    fc.record({ source: word }),
    fc.record({ id: fc.nat(9), name: word }, { requiredKeys: [] }),
    fc.constant([]),
  ),
)
const almostConfig = fc
  .record({
    version: fc.constantFrom('2.0.0', '2.2.0', '3.0.0', '3.2.0', '3.4.0', '3.5.0'),
    storage: fc.dictionary(
      fc.constantFrom('files', 'directories', 'links', 'disks', 'raid', 'luks', 'filesystems'),
      fc.array(node, { maxLength: 2 }),
    ),
    units: fc.array(
      fc.dictionary(
        fc.constantFrom('name', 'contents', 'enabled', 'mask', 'dropins'),
        fc.oneof(scalar, fc.constant([])),
      ),
      { maxLength: 2 },
    ),
  })
  .map(({ version, storage, units }) => v3({ storage, systemd: { units } }, version))
