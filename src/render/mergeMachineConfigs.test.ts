import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fragment, ignition, withFile } from '../../test/kube/renderObjects.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { File } from '../ignition/types.ts'
import { type MergedSpec, mergeMachineConfigs, mergeOrder } from './mergeMachineConfigs.ts'
import { overlaps } from './overlaps.ts'
import { fragmentParser } from './parseFragment.ts'

const images = { osImage: 'default-os', extensionsImage: 'default-ext' }
const parsed = (configs: readonly MachineConfig[]) => mergeOrder(configs.map(fragmentParser().parse))

function merge(...configs: readonly MachineConfig[]): MergedSpec {
  const result = mergeMachineConfigs(parsed(configs), images)
  if (result.kind !== 'merged') throw new Error(JSON.stringify(result))
  return result.spec
}

const files = (...list: readonly Partial<File>[]) => ignition({ storage: { files: list } })
const gzip = 'data:;base64,H4sIAAAAAAAAA0vLz+cCAKhlMn4EAAAA'

test('mergeOrder puts worker fragments first, each part by name', () => {
  const order = parsed([
    fragment('b'),
    fragment('a', {}, { role: 'infra' }),
    fragment('z'),
    { metadata: { name: '0', labels: {} } },
  ])
  expect(order.map(({ name }) => name)).toEqual(['b', 'z', '0', 'a'])
})

test('mergeMachineConfigs of an empty spec has all members and the default images', () => {
  expect(merge(fragment('fips', { fips: true }))).toEqual({
    osImageURL: 'default-os',
    baseOSExtensionsContainerImage: 'default-ext',
    kernelArguments: [],
    extensions: [],
    fips: true,
    kernelType: 'default',
    config: { ignition: { version: '3.5.0' } },
  })
})

test('mergeMachineConfigs lets a custom role beat inherited fragments whatever their names are', () => {
  const spec = merge(
    fragment('zzz', { config: withFile('/etc/a', 'worker') }),
    fragment('aaa', { config: withFile('/etc/a', 'infra') }, { role: 'infra' }),
  )
  expect(spec.config.storage?.files).toMatchObject([{ contents: { source: 'data:,infra' }, overwrite: true }])
})

test('mergeMachineConfigs keeps kernel arguments and extensions in order, duplicates too', () => {
  const spec = merge(
    fragment('b', { kernelArguments: ['y', 'x'], extensions: ['usbguard'] }),
    fragment('a', { kernelArguments: ['x'], extensions: ['usbguard'] }),
  )
  expect(spec).toMatchObject({ kernelArguments: ['x', 'y', 'x'], extensions: ['usbguard', 'usbguard'] })
})

test('mergeMachineConfigs takes images from users only, the last one', () => {
  const generated = fragment('z', { osImageURL: 'generated' })
  const annotations = { 'machineconfiguration.openshift.io/generated-by-controller-version': 'h' }
  const spec = merge(
    fragment('a', { osImageURL: 'A' }),
    fragment('b', { osImageURL: 'B', baseOSExtensionsContainerImage: 'E' }),
    { ...generated, metadata: { ...generated.metadata, annotations } },
  )
  expect(spec).toMatchObject({ osImageURL: 'B', baseOSExtensionsContainerImage: 'E' })
})

test.each([
  [['realtime', 'default'], 'realtime'],
  [['realtime', '64k-pages', ''], '64k-pages'],
  [['', 'default'], 'default'],
])('mergeMachineConfigs of kernel types %j gives %s', (types, expected) => {
  expect(merge(...types.map((kernelType, index) => fragment(`${index}`, { kernelType }))).kernelType).toBe(expected)
})

test.each<readonly [string, Partial<File>, Partial<File>, unknown]>([
  [
    'a plain file over a gzip file',
    { path: '/a', contents: { source: gzip, compression: 'gzip' } },
    { path: '/a', contents: { source: 'data:,new' } },
    [{ path: '/a', contents: { source: 'data:,new' }, overwrite: true }],
  ],
  [
    'a mode over a gzip file, which then loses its compression (names depend on it)',
    { path: '/a', contents: { source: gzip, compression: 'gzip' } },
    { path: '/a', mode: 384 },
    [{ path: '/a', contents: { source: gzip }, mode: 384, overwrite: true }],
  ],
  [
    'an overwrite of false',
    { path: '/a', contents: { source: 'data:,x' }, overwrite: false },
    { path: '/b', contents: { source: 'data:,x' } },
    [
      { path: '/a', contents: { source: 'data:,x' }, overwrite: false },
      { path: '/b', contents: { source: 'data:,x' }, overwrite: true },
    ],
  ],
])('mergeMachineConfigs with %s', (_name, first, second, expected) => {
  const spec = merge(fragment('a', { config: files(first) }), fragment('b', { config: files(second) }))
  expect(spec.config.storage?.files).toEqual(expected)
})

test('mergeMachineConfigs leaves an empty compression of a lone first config as it is', () => {
  const spec = merge(fragment('a', { config: files({ path: '/a', contents: { source: 'data:,x', compression: '' } }) }))
  expect(spec.config.storage?.files?.[0]?.contents).toEqual({ source: 'data:,x', compression: '' })
})

test('mergeMachineConfigs refuses what it cannot merge', () => {
  const refusal = (...configs: readonly MachineConfig[]) => mergeMachineConfigs(parsed(configs), images)
  expect(refusal()).toEqual({ kind: 'empty' })
  expect(refusal({ metadata: { name: 'bare' } })).toMatchObject({ message: 'cannot find label in MachineConfig bare' })
  expect(refusal(fragment('a', { config: {} }))).toMatchObject({
    message: expect.stringContaining(
      'failed to parse Ignition config: parsing Ignition config failed: invalid version.',
    ),
  })
  expect(refusal(fragment('a', { kernelType: 'realtime', extensions: ['kernel-devel'] }))).toMatchObject({
    message: 'installing kernel-devel extension is not supported with kernelType: realtime',
  })
})

test('mergeMachineConfigs gives the same result for any order of the fragments', () => {
  const path = fc.integer({ min: 0, max: 5 }).map((number) => `/etc/f${number}`)
  const list = fc.uniqueArray(fc.record({ name: fc.integer({ min: 0, max: 99 }), path, infra: fc.boolean() }), {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(list, fc.integer(), (items, seed) => {
      const configs = items.map(({ name, path: at, infra }) =>
        fragment(
          `${name}`,
          { config: withFile(at, `${name}`), kernelArguments: [`${name}`] },
          { role: infra ? 'infra' : 'worker' },
        ),
      )
      const shuffled = [...configs].sort((a, b) => hashOf(a, seed) - hashOf(b, seed))
      expect(merge(...shuffled)).toEqual(merge(...configs))
    }),
    { numRuns: 50 },
  )
})

const hashOf = ({ metadata }: MachineConfig, seed: number): number => (Number(metadata.name) * 7919 + seed) % 101

test('overlaps names all writers of a path and the last as winner', () => {
  const unit = (contents?: string) =>
    ignition({ systemd: { units: [{ name: 'a.service', ...(contents && { contents }) }] } })
  const found = overlaps(
    parsed([
      fragment('a', { config: withFile('/etc/a') }),
      fragment('b', { config: withFile('/etc/a') }),
      fragment('c', { config: unit('[Unit]\n') }),
      fragment('d', { config: unit() }),
      fragment('e', { config: withFile('/etc/b') }),
    ]),
  )
  expect(found).toEqual([{ path: '/etc/a', writers: ['a', 'b'], winner: 'b' }])
})

test('fragmentParser parses a changed object only, also when all are listed anew', () => {
  const parser = fragmentParser()
  const listed = (changed: number) =>
    Array.from({ length: 5 }, (_, index) => {
      const { metadata, spec } = fragment(`${index}`, { config: withFile('/etc/a', `${index === changed}`) })
      return {
        metadata: { ...metadata, uid: `u${index}`, resourceVersion: index === changed ? '2' : '1' },
        spec: spec ?? {},
      }
    })
  listed(-1).map(parser.parse)
  const before = parser.parsedCount
  listed(3).map(parser.parse)
  expect([before, parser.parsedCount]).toEqual([5, 6])
})
