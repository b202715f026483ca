import { describe, expect, it } from 'vitest'
import {
  canonicalKernelType,
  describeOsChanges,
  diffConfigs,
  isEmptyDiff,
  type MachineConfigView,
} from './configDiff.ts'

const view = (changes: Partial<MachineConfigView> = {}): MachineConfigView => ({
  name: 'rendered-1',
  osImageURL: 'image:1',
  kernelArguments: [],
  extensions: [],
  fips: false,
  kernelType: '',
  ignition: { ignition: { version: '3.5.0' } },
  ...changes,
})
const ignition = (rest: object): Partial<MachineConfigView> => ({
  ignition: { ignition: { version: '3.5.0' }, ...rest },
})
const file = { path: '/etc/a', contents: { source: 'data:,1' } }

/** The names of the parts that differ. */
const differing = (old: Partial<MachineConfigView>, next: Partial<MachineConfigView>): string[] =>
  Object.entries(diffConfigs(view(old), view(next)))
    .filter(([, differs]) => differs)
    .map(([part]) => part)

describe('diffConfigs', () => {
  it.each<[string, Partial<MachineConfigView>, Partial<MachineConfigView>, readonly string[]]>([
    ['nothing between equal configs', {}, {}, []],
    ['nothing for another name', { name: 'a' }, { name: 'b' }, []],
    ['another image', {}, { osImageURL: 'image:2' }, ['osUpdate']],
    ['an added argument', {}, { kernelArguments: ['a'] }, ['kargs']],
    ['the order of arguments', { kernelArguments: ['a', 'b'] }, { kernelArguments: ['b', 'a'] }, ['kargs']],
    ['a repeated argument', { kernelArguments: ['a'] }, { kernelArguments: ['a', 'a'] }, ['kargs']],
    ['FIPS', {}, { fips: true }, ['fips']],
    ['the realtime kernel', {}, { kernelType: 'realtime' }, ['kernelType']],
    ['no change between two names of the default kernel', { kernelType: 'default' }, { kernelType: 'other' }, []],
    ['an extension', {}, { extensions: ['usbguard'] }, ['extensions']],
    ['a file', {}, ignition({ storage: { files: [file] } }), ['files']],
    [
      'the order of files',
      ignition({ storage: { files: [file, { path: '/etc/b' }] } }),
      ignition({ storage: { files: [{ path: '/etc/b' }, file] } }),
      ['files'],
    ],
    ['a unit', {}, ignition({ systemd: { units: [{ name: 'a.service' }] } }), ['units']],
    ['a user', {}, ignition({ passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['k'] }] } }), ['passwd']],
    ['no users and an empty section', {}, ignition({ passwd: {} }), []],
    [
      'the same built image, other base',
      { layeredImage: 'built' },
      { layeredImage: 'built', osImageURL: 'x' },
      ['oclEnabled'],
    ],
    ['another built image', { layeredImage: 'a' }, { layeredImage: 'b' }, ['osUpdate', 'oclEnabled']],
    ['the first built image', {}, { layeredImage: 'b' }, ['osUpdate', 'oclEnabled']],
    ['the way back from it', { layeredImage: 'b' }, {}, ['osUpdate', 'oclEnabled', 'revertFromOCL']],
  ])('%s', (_name, old, next, expected) => {
    expect(differing(old, next)).toEqual(expected)
    expect(isEmptyDiff(diffConfigs(view(old), view(next)))).toBe(expected.length === 0)
  })
})

it.each([
  ['', 'default'],
  ['default', 'default'],
  ['realtime', 'realtime'],
  ['64k-pages', '64k-pages'],
  ['Realtime', 'default'],
])('canonicalKernelType takes "%s" for %s', (written, meant) => {
  expect(canonicalKernelType(written)).toBe(meant)
})

it('describeOsChanges lists what happens to the system, and nothing else, in the words of the event', () => {
  const all = diffConfigs(
    view(),
    view({ osImageURL: 'x', extensions: ['e'], kernelType: 'realtime', kernelArguments: ['k'] }),
  )
  expect(describeOsChanges(all)).toBe(
    'Upgrading OS; Installing extensions; Changing kernel type; Changing kernel arguments',
  )
  expect(
    describeOsChanges(diffConfigs(view(), view({ fips: true, ...ignition({ storage: { files: [file] } }) }))),
  ).toBe('')
})
