import { describe, expect, it } from 'vitest'
import { type ConfigInput, config } from '../../test/daemon/builders.ts'
import { classifyChange, classifyFirstBoot } from './classifyChange.ts'
import { type ClusterPolicies, defaultPolicies, type PolicyAction } from './disruptionPolicies.ts'

const registries = '/etc/containers/registries.conf'
const base: ConfigInput = { files: { '/etc/a': '1', [registries]: '' } }
const reboot: PolicyAction = { type: 'Reboot' }
const reloadCrio: PolicyAction = { type: 'Reload', reload: { serviceName: 'crio.service' } }

const classify = (
  old: ConfigInput,
  next: ConfigInput,
  forceFile = false,
  policies: ClusterPolicies = defaultPolicies,
) => classifyChange(config(old).view, config(next).view, { policies, forceFile })

const withFile = (path: string, text: string): ConfigInput => ({ files: { ...base.files, [path]: text } })

describe('classifyChange', () => {
  it.each<[string, ConfigInput, ConfigInput, readonly PolicyAction[], boolean, string]>([
    ['nothing', base, base, [{ type: 'None' }], false, 'no action disturbs running pods'],
    [
      'a file without a policy',
      base,
      withFile('/etc/a', '2'),
      [reboot],
      true,
      '/etc/a: no node disruption policy for this path',
    ],
    [
      'a file with a policy',
      base,
      withFile('/etc/containers/policy.json', '{}'),
      [reloadCrio],
      false,
      'no action disturbs running pods',
    ],
    [
      'SSH keys',
      base,
      { ...base, keys: ['ssh-ed25519 a'] },
      [{ type: 'None' }],
      false,
      'no action disturbs running pods',
    ],
    [
      'a unit without a policy',
      base,
      { ...base, units: [{ name: 'a.service', contents: 'x' }] },
      [reboot],
      true,
      'unit a.service: no node disruption policy for this unit',
    ],
    [
      'kernel arguments, whatever else changes',
      base,
      { ...withFile('/etc/containers/policy.json', '{}'), kernelArguments: ['nosmt'] },
      [reboot],
      true,
      'kernelArguments: the kernel reads its arguments at boot',
    ],
    [
      'the OS image',
      base,
      { ...base, osImageURL: 'image:2' },
      [reboot],
      true,
      'osImageURL: a new OS image is used from the next boot',
    ],
    ['FIPS', base, { ...base, spec: { fips: true } }, [reboot], true, 'fips: FIPS mode is set at boot'],
    [
      'the kernel',
      base,
      { ...base, spec: { kernelType: 'realtime' } },
      [reboot],
      true,
      'kernelType: another kernel is used from the next boot',
    ],
    [
      'an extension',
      base,
      { ...base, spec: { extensions: ['usbguard'] } },
      [reboot],
      true,
      'extensions: extensions are part of the OS image of the next boot',
    ],
    [
      'registries, safely',
      base,
      withFile(registries, 'unqualified-search-registries = ["a"]'),
      [{ type: 'Special' }],
      false,
      '',
    ],
  ])('%s', (_name, old, next, actions, drain, drainReason) => {
    const change = classify(old, next)
    expect([change.actions, change.drain]).toEqual([actions, drain])
    if (drainReason !== '') expect(change.drainReason).toBe(drainReason)
    expect(change.drainError).toBeUndefined()
  })

  it('drains for a registry that is taken away, and says which rule', () => {
    const had = withFile(registries, '[[registry]]\nlocation = "r.example.com"\n')
    const change = classify(had, base)
    expect(change).toMatchObject({ actions: [{ type: 'Special' }], drain: true })
    expect(change.drainReason).toMatch(/^\/etc\/containers\/registries\.conf: /)
  })

  it('does not start when registries.conf cannot be read', () => {
    const change = classify(base, withFile(registries, '[[registry'))
    expect(change.drain).toBe(true)
    expect(change.drainError).toBeDefined()
    const undecodable = { storage: { files: [{ path: registries, contents: { source: 'https://h/x' } }] } }
    expect(classify({ files: { [registries]: '' } }, undecodable).drainError).toMatch(
      /^could not decode file \/etc\/containers\/registries\.conf: /,
    )
  })

  it('reboots for the force file alone, and names it', () => {
    const change = classify(base, base, true)
    expect(change.actions).toEqual([reboot])
    expect(change.because.map(({ subject }) => subject)).toEqual(['/run/machine-config-daemon-force'])
    expect(change.drain).toBe(true)
  })

  it('names every cause of a reboot', () => {
    const change = classify(base, { ...base, osImageURL: 'image:2', kernelArguments: ['a'], spec: { fips: true } })
    expect(change.because.map(({ subject }) => subject)).toEqual(['osImageURL', 'kernelArguments', 'fips'])
  })

  it('sorts what changed: files by path, units added, updated, removed', () => {
    const unit = (name: string, contents: string) => ({ name, contents })
    const old = {
      files: { '/etc/z': '1', '/etc/b': '1' },
      units: [unit('gone.service', '1'), unit('new.service', '1')],
    }
    const next = {
      files: { '/etc/z': '2', '/etc/b': '2', '/etc/a': '1' },
      units: [unit('new.service', '2'), unit('z.service', '1'), unit('a.service', '1')],
    }
    const change = classify(old, next)
    expect(change.changedFiles).toEqual(['/etc/a', '/etc/b', '/etc/z'])
    expect(change.changedUnits).toEqual(['a.service', 'z.service', 'new.service', 'gone.service'])
  })

  it('follows a policy that asks for a drain without a reboot', () => {
    const policies = { ...defaultPolicies, files: [{ path: '/etc/a', actions: [{ type: 'Drain' } as const] }] }
    expect(classify(base, withFile('/etc/a', '2'), false, policies)).toMatchObject({
      actions: [{ type: 'Drain' }],
      drain: true,
      drainReason: '/etc/a: node disruption policy for /etc/a',
    })
  })
})

describe('classifyFirstBoot', () => {
  const first = (old: ConfigInput, next: ConfigInput) => classifyFirstBoot(config(old).view, config(next).view)
  it.each<[string, ConfigInput, string, boolean]>([
    ['nothing', base, 'none', false],
    ['a plain file', withFile('/etc/a', '2'), 'reboot', true],
    ['a policy file', withFile('/etc/containers/policy.json', '{}'), 'reload crio', false],
    ['registries, safely', withFile(registries, 'unqualified-search-registries = ["a"]'), 'reload crio', false],
    ['a unit', { ...base, units: [{ name: 'a.service', contents: 'x' }] }, 'reboot', true],
  ])('%s', (_name, next, action, drain) => {
    expect(first(base, next)).toMatchObject({ action, drain })
  })

  it('reboots for the force file', () => {
    const { view } = config(base)
    expect(classifyFirstBoot(view, view, { forceFile: true })).toMatchObject({
      action: 'reboot',
      drain: true,
      drainReason: 'the node reboots',
    })
  })
})
