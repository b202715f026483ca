import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyConfig, IgnitionMerger, mergeAll, mergeIgnition } from './merge.ts'
import { ignitionToJson } from './serialize.ts'
import type { File, IgnitionConfig, Storage, Unit } from './types.ts'

const config = (parts: Omit<Partial<IgnitionConfig>, 'ignition'>): IgnitionConfig => ({
  ignition: { version: '3.5.0' },
  ...parts,
})
const files = (...list: readonly File[]): IgnitionConfig => config({ storage: { files: list } })
const units = (...list: readonly Unit[]): IgnitionConfig => config({ systemd: { units: list } })
const content = (source: string): { source: string } => ({ source: `data:,${source}` })

describe('mergeIgnition', () => {
  // spec: render 5.4, table of inputs and results
  it.each<readonly [string, IgnitionConfig, IgnitionConfig, IgnitionConfig]>([
    [
      'takes the version of the child as it is',
      { ignition: { version: '1234' } },
      { ignition: { version: 'x' } },
      { ignition: { version: 'x' } },
    ],
    [
      'merges disks by device and partitions by number',
      config({
        storage: {
          disks: [
            { device: 'foo', wipeTable: true, partitions: [{ number: 1, label: 'l', startMiB: 4 }] },
            { device: 'bar', wipeTable: true },
          ],
        },
      }),
      config({
        storage: {
          disks: [
            {
              device: 'foo',
              wipeTable: false,
              partitions: [
                { number: 1, label: 'labelchanged' },
                { number: 2, label: 'label2' },
              ],
            },
            { device: 'bar' },
            { device: 'baz', wipeTable: true },
          ],
        },
      }),
      config({
        storage: {
          disks: [
            {
              device: 'foo',
              wipeTable: false,
              partitions: [
                { number: 1, label: 'labelchanged', startMiB: 4 },
                { number: 2, label: 'label2' },
              ],
            },
            { device: 'bar', wipeTable: true },
            { device: 'baz', wipeTable: true },
          ],
        },
      }),
    ],
    [
      'moves a path between files, directories and links, and appends to what stays',
      files({ path: '/foo', append: [content('1')] }, { path: '/bar', contents: { compression: 'gzip' } }),
      config({
        storage: {
          files: [{ path: '/foo', append: [content('1'), content('2')] }],
          directories: [{ path: '/bar' }],
          links: [{ path: '/baz', target: '/t' }],
        },
      }),
      config({
        storage: {
          directories: [{ path: '/bar' }],
          files: [{ path: '/foo', append: [content('1'), content('1'), content('2')] }],
          links: [{ path: '/baz', target: '/t' }],
        },
      }),
    ],
    [
      'unites ssh keys by value',
      config({ passwd: { users: [{ name: 'bovik', sshAuthorizedKeys: ['one', 'two'] }] } }),
      config({ passwd: { users: [{ name: 'bovik', sshAuthorizedKeys: ['three', 'two'] }] } }),
      config({ passwd: { users: [{ name: 'bovik', sshAuthorizedKeys: ['one', 'two', 'three'] }] } }),
    ],
    [
      'removes a header that the child names without a value',
      files({
        path: '/a',
        contents: {
          httpHeaders: [
            { name: 'old', value: 'a' },
            { name: 'same', value: 'a' },
            { name: 'rm', value: 'a' },
          ],
        },
      }),
      files({
        path: '/a',
        contents: { httpHeaders: [{ name: 'rm' }, { name: 'new', value: 'b' }, { name: 'same', value: 'b' }] },
      }),
      files({
        path: '/a',
        contents: {
          httpHeaders: [
            { name: 'old', value: 'a' },
            { name: 'same', value: 'b' },
            { name: 'new', value: 'b' },
          ],
        },
      }),
    ],
    [
      'moves a kernel argument to the other list',
      config({ kernelArguments: { shouldExist: ['a', 'b'] } }),
      config({ kernelArguments: { shouldExist: ['c', 'b'], shouldNotExist: ['a'] } }),
      config({ kernelArguments: { shouldExist: ['b', 'c'], shouldNotExist: ['a'] } }),
    ],
    [
      'merges drop-ins by name',
      units({ name: 'x.service', contents: 'c', enabled: true, dropins: [{ name: '1.conf', contents: 'old' }] }),
      units(
        { name: 'x.service', dropins: [{ name: '2.conf' }, { name: '1.conf', contents: 'new' }] },
        { name: 'y.service', mask: true },
      ),
      units(
        {
          name: 'x.service',
          contents: 'c',
          enabled: true,
          dropins: [{ name: '1.conf', contents: 'new' }, { name: '2.conf' }],
        },
        { name: 'y.service', mask: true },
      ),
    ],
    [
      'takes false and empty text of the child',
      units({ name: 'a.service', enabled: true, mask: true, contents: 'x' }),
      units({ name: 'a.service', enabled: false, contents: '' }),
      units({ name: 'a.service', enabled: false, mask: true, contents: '' }),
    ],
    [
      'unites raid devices and appends options',
      config({ storage: { raid: [{ name: 'm', devices: ['a', 'b'], options: ['x'] }] } }),
      config({ storage: { raid: [{ name: 'm', devices: ['b', 'c'], options: ['x'] }] } }),
      config({ storage: { raid: [{ name: 'm', devices: ['a', 'b', 'c'], options: ['x', 'x'] }] } }),
    ],
    [
      'keeps label and number keys of partitions apart',
      config({
        storage: {
          disks: [
            {
              device: 'd',
              partitions: [
                { label: 'a', startMiB: 1 },
                { number: 2, label: 'b' },
              ],
            },
          ],
        },
      }),
      config({
        storage: {
          disks: [
            {
              device: 'd',
              partitions: [
                { label: 'a', startMiB: 5 },
                { label: 'b', startMiB: 7 },
              ],
            },
          ],
        },
      }),
      config({
        storage: {
          disks: [
            {
              device: 'd',
              partitions: [
                { label: 'a', startMiB: 5 },
                { number: 2, label: 'b' },
                { label: 'b', startMiB: 7 },
              ],
            },
          ],
        },
      }),
    ],
    [
      'merges owners member by member and moves a link to a file',
      config({
        storage: {
          files: [{ path: '/a', overwrite: false, user: { name: 'root' } }],
          links: [{ path: '/l', target: '/t' }],
        },
      }),
      files({ path: '/l' }, { path: '/a', user: { id: 0 } }),
      config({ storage: { files: [{ path: '/a', overwrite: false, user: { id: 0, name: 'root' } }, { path: '/l' }] } }),
    ],
  ])('%s', (_name, parent, child, expected) => {
    expect(mergeIgnition(parent, child)).toEqual(expected)
  })

  it('shares what the child does not change', () => {
    const parent = config({ storage: { files: [{ path: '/a' }] }, systemd: { units: [{ name: 'a.service' }] } })
    const merged = mergeIgnition(parent, files({ path: '/b' }))
    expect(merged.systemd).toBe(parent.systemd)
    expect(merged.storage?.files?.[0]).toBe(parent.storage?.files?.[0])
  })

  it('changes nothing when an empty config is merged over it', () => {
    fc.assert(
      fc.property(anyConfig, (parent) => {
        expect(mergeIgnition(parent, emptyConfig)).toEqual(parent)
      }),
    )
  })

  it('gives the child when it is merged over an empty config', () => {
    fc.assert(
      fc.property(anyConfig, (child) => {
        expect(mergeIgnition(emptyConfig, child)).toEqual(child)
      }),
    )
  })

  it('changes nothing when a config without append lists is merged over itself', () => {
    fc.assert(
      fc.property(anyConfig, (given) => {
        expect(mergeIgnition(given, given)).toEqual(given)
      }),
    )
  })

  it('gives the same step by step as all at once', () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, anyConfig, (a, b, c) => {
        expect(ignitionToJson(mergeAll([a, b, c]))).toBe(ignitionToJson(mergeIgnition(mergeIgnition(a, b), c)))
      }),
    )
  })

  // A path that becomes a directory and then a file again forgets its first entry, so grouping matters there.
  it('gives the same entries however the configs are grouped, unless a path changes its kind', () => {
    fc.assert(
      fc.property(steadyConfig, steadyConfig, steadyConfig, (a, b, c) => {
        const grouped = mergeIgnition(mergeIgnition(a, b), c)
        expect(entries(mergeIgnition(a, mergeIgnition(b, c)))).toEqual(entries(grouped))
      }),
    )
  })

  it('keeps keys unique over all lists of a namespace, and the order of the parent', () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, (parent, child) => {
        const { directories = [], files: kept = [], links = [] } = mergeIgnition(parent, child).storage ?? {}
        const paths = [...directories, ...kept, ...links].map(({ path }) => path)
        expect(new Set(paths).size).toBe(paths.length)
        const before = (parent.storage?.files ?? []).map(({ path }) => path)
        const after = kept.map(({ path }) => path).filter((path) => before.includes(path))
        expect(after).toEqual(before.filter((path) => after.includes(path)))
      }),
    )
  })

  it('does not change its inputs', () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, (parent, child) => {
        const texts = [JSON.stringify(parent), JSON.stringify(child)]
        mergeIgnition(parent, child)
        expect([JSON.stringify(parent), JSON.stringify(child)]).toEqual(texts)
      }),
    )
  })
})

describe('IgnitionMerger', () => {
  it('rewrites the files of a config before the merge and those of the result after it', () => {
    const merger = new IgnitionMerger()
    merger.add(files({ path: '/a', contents: { source: 'data:,1', compression: 'gzip' } }))
    merger.add(files({ path: '/a', contents: content('2') }), {
      mapFile: (file) => ({ ...file, contents: { compression: '', ...file.contents } }),
    })
    expect(merger.result({ mapFile: (file) => ({ ...file, overwrite: true }) })).toEqual(
      files({ path: '/a', contents: { source: 'data:,2', compression: '' }, overwrite: true }),
    )
  })

  it('goes on after a result was taken', () => {
    const merger = new IgnitionMerger()
    expect(merger.result()).toBe(emptyConfig)
    merger.add(files({ path: '/a' }))
    merger.add(files({ path: '/b' }))
    const earlier = merger.result()
    merger.add(files({ path: '/c' }))
    expect(merger.result()).toEqual(files({ path: '/a' }, { path: '/b' }, { path: '/c' }))
    expect(earlier).toEqual(files({ path: '/a' }, { path: '/b' }))
  })
})

/** Entries by key without regard to order: grouping may change positions when a path moves between lists. */
function entries({ storage = {}, systemd, passwd, kernelArguments }: IgnitionConfig): unknown {
  const byName = (list: readonly { path?: string; name?: string }[] = []): unknown =>
    Object.fromEntries(list.map((item) => [item.path ?? item.name ?? '', item]))
  return {
    files: byName(storage.files),
    directories: byName(storage.directories),
    links: byName(storage.links),
    units: byName(systemd?.units?.map((unit) => ({ ...unit, dropins: byName(unit.dropins) }))),
    users: byName(passwd?.users?.map((user) => ({ ...user, sshAuthorizedKeys: new Set(user.sshAuthorizedKeys) }))),
    exist: new Set(kernelArguments?.shouldExist),
    gone: new Set(kernelArguments?.shouldNotExist),
  }
}

const name = fc.constantFrom('a', 'b', 'c', 'd')
const few = <T>(item: fc.Arbitrary<T>, key: (item: T) => string): fc.Arbitrary<T[]> =>
  fc.uniqueArray(item, { selector: key, minLength: 1, maxLength: 3 })
const owner = fc.oneof(fc.record({ id: fc.nat(9) }), fc.record({ name }))
type Kind = 'files' | 'directories' | 'links'
const kinds = ['files', 'directories', 'links'] as const

/** Paths are dealt out to one list each, as a valid config has them. */
const storage = (kindOf: (path: string, choice: Kind) => Kind): fc.Arbitrary<Storage> =>
  fc
    .record({
      dealt: few(fc.record({ path: name, choice: fc.constantFrom(...kinds) }), ({ path }) => path),
      mode: fc.nat(511),
      source: fc.option(name, { nil: undefined }),
      user: fc.option(owner, { nil: undefined }),
    })
    .map(({ dealt, mode, source, user }) => {
      const of = (kind: Kind): string[] =>
        dealt.filter(({ path, choice }) => kindOf(path, choice) === kind).map(({ path }) => `/${path}`)
      return withoutEmpty({
        directories: of('directories').map((path) => ({ path, mode })),
        files: of('files').map((path) => ({
          path,
          mode,
          ...(source && { contents: { source } }),
          ...(user && { user }),
        })),
        links: of('links').map((path) => ({ path, target: '/t' })),
      })
    })

const withoutEmpty = <T extends object>(lists: T): Partial<T> =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>

const dropin = fc.record({ contents: name, name }, { requiredKeys: ['name'] })
const unit = fc.record(
  { contents: name, dropins: few(dropin, (entry) => entry.name), enabled: fc.boolean(), mask: fc.boolean(), name },
  { requiredKeys: ['name'] },
)
const user = fc.record(
  { name, sshAuthorizedKeys: few(name, (key) => key), groups: few(name, (group) => group), uid: fc.nat(9) },
  { requiredKeys: ['name'] },
)
const kernelArguments = few(fc.record({ value: name, exist: fc.boolean() }), ({ value }) => value).map((list) =>
  withoutEmpty({
    shouldExist: list.filter(({ exist }) => exist).map(({ value }) => value),
    shouldNotExist: list.filter(({ exist }) => !exist).map(({ value }) => value),
  }),
)

const configWith = (stored: fc.Arbitrary<Storage>): fc.Arbitrary<IgnitionConfig> =>
  fc
    .record(
      {
        kernelArguments,
        passwd: fc.record({ users: few(user, (entry) => entry.name) }),
        storage: stored,
        systemd: fc.record({ units: few(unit, (entry) => entry.name) }),
      },
      { requiredKeys: [] },
    )
    .map((parts) => ({ ignition: { version: '3.5.0' }, ...parts }))

const anyConfig = configWith(storage((_path, choice) => choice))
const steadyConfig = configWith(storage((path) => (path === 'd' ? 'directories' : path === 'c' ? 'links' : 'files')))
