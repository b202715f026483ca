import { describe, expect, it } from 'vitest'
import type { ConfigDiff } from './configDiff.ts'
import { legacyAction, legacyDrain } from './legacyActions.ts'

const nothing: ConfigDiff = {
  osUpdate: false,
  kargs: false,
  fips: false,
  passwd: false,
  files: false,
  units: false,
  kernelType: false,
  extensions: false,
  oclEnabled: false,
  revertFromOCL: false,
}

describe('legacyAction', () => {
  it.each(['osUpdate', 'kargs', 'fips', 'units', 'kernelType', 'extensions'] as const)('reboots for %s', (part) => {
    expect(legacyAction({ ...nothing, [part]: true }, [])).toBe('reboot')
  })

  it.each(['passwd', 'oclEnabled', 'revertFromOCL'] as const)('does nothing for %s alone', (part) => {
    expect(legacyAction({ ...nothing, [part]: true }, [])).toBe('none')
  })

  it.each([
    ['/etc/kubernetes/kubelet-ca.crt', 'none'],
    ['/var/lib/kubelet/config.json', 'none'],
    ['/etc/nmstate/openshift/cluster.yml', 'none'],
    ['/etc/nmstate/openshift/below/cluster.yml', 'reboot'],
    ['/etc/containers/registries.conf', 'reload crio'],
    ['/etc/containers/policy.json', 'reload crio'],
    ['/etc/containers/registries.d/a.yaml', 'reload crio'],
    ['/etc/containers/registries.d/below/a.yaml', 'reboot'],
    ['/etc/machine-config-daemon/no-reboot/containers-gpg.pub', 'reload crio'],
    ['/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt', 'restart crio'],
    ['/etc/motd', 'reboot'],
  ] as const)('%s: %s', (path, action) => {
    expect(legacyAction(nothing, [path])).toBe(action)
  })

  it('takes the strongest action of all files, in whatever order they come', () => {
    const reload = '/etc/containers/policy.json'
    const restart = '/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt'
    expect(legacyAction(nothing, [restart, reload])).toBe('restart crio')
    expect(legacyAction(nothing, [reload, restart])).toBe('restart crio')
    expect(legacyAction(nothing, [reload, '/etc/motd', restart])).toBe('reboot')
  })

  it('reboots for the force file, also without a change', () => {
    expect(legacyAction(nothing, [], { forceFile: true })).toBe('reboot')
  })
})

describe('legacyDrain', () => {
  const registries = '/etc/containers/registries.conf'
  it.each([
    ['reboot', [], true],
    ['reboot', [registries], true],
    ['none', [registries], false],
    ['reload crio', ['/etc/containers/policy.json'], false],
    ['reload crio', [registries], 'depends'],
    ['restart crio', [registries], 'depends'],
  ] as const)('for %s with %j: %s', (action, files, expected) => {
    expect(legacyDrain(action, files)).toBe(expected)
  })
})
