import { describe, expect, it } from 'vitest'
import { disruptionActions, drainForActions } from './disruptionActions.ts'
import {
  type ClusterPolicies,
  defaultPolicies,
  mergePolicies,
  type PolicyAction,
  policyForPath,
} from './disruptionPolicies.ts'

const none: PolicyAction = { type: 'None' }
const reboot: PolicyAction = { type: 'Reboot' }
const drain: PolicyAction = { type: 'Drain' }
const restart = (serviceName: string): PolicyAction => ({ type: 'Restart', restart: { serviceName } })
const file = (path: string, ...actions: PolicyAction[]) => ({ path, actions })

describe('policyForPath', () => {
  it.each([
    ['another directory', '/etc/mco/test', ['/etc/example'], undefined],
    ['the exact path', '/etc/mco/test1', ['/etc/mco/test1', '/etc/mco/test2'], '/etc/mco/test1'],
    [
      'the longest directory above',
      '/etc/mco/f1/f2/example',
      ['/etc/mco/f1', '/etc/mco/f1/f2', '/etc/mco/f1/f2/f3'],
      '/etc/mco/f1/f2',
    ],
    [
      'exact before a directory above',
      '/etc/mco/f1/f2/f3',
      ['/etc/mco/f1', '/etc/mco/f1/f2', '/etc/mco/f1/f2/f3'],
      '/etc/mco/f1/f2/f3',
    ],
    [
      'siblings only',
      '/etc/mco/f1/f2/f3',
      ['/etc/mco/f1/test', '/etc/mco/f1/f2/test', '/etc/mco/f1/f2/f3/f4'],
      undefined,
    ],
    ['a trailing slash on the policy', '/etc/app/a', ['/etc/app/'], '/etc/app/'],
    ['no catch-all at the root', '/etc/app', ['/'], undefined],
    ['no prefix of a name', '/etc/application', ['/etc/app'], undefined],
  ])('matches %s', (_what, path, policies, expected) => {
    expect(
      policyForPath(
        path,
        policies.map((policy) => file(policy, none)),
      )?.path,
    ).toBe(expected)
  })
})

describe('mergePolicies', () => {
  it('replaces a default in place and appends what is new', () => {
    const merged = mergePolicies({
      files: [file('/etc/chrony.conf', restart('chronyd.service')), file('/etc/containers/registries.conf', none)],
    })
    expect(merged.files.map(({ path }) => path)).toEqual([
      ...defaultPolicies.files.map(({ path }) => path),
      '/etc/chrony.conf',
    ])
    expect(merged.files.find(({ path }) => path === '/etc/containers/registries.conf')?.actions).toEqual([none])
  })

  it('keeps the default for SSH keys when the user lists no action', () => {
    expect(mergePolicies({ sshkey: { actions: [] } }).sshkey).toEqual({ actions: [none] })
    expect(mergePolicies({ sshkey: { actions: [drain] } }).sshkey).toEqual({ actions: [drain] })
  })
})

describe('disruptionActions', () => {
  const policies: ClusterPolicies = {
    files: [file('/etc/a', restart('a.service')), file('/etc/b', none), file('/etc/c', drain), file('/etc/d', reboot)],
    units: [{ name: 'a.service', actions: [restart('a.service')] }],
    sshkey: { actions: [none] },
  }
  const changed = (files: string[], units: string[] = [], passwd = false) => ({ files, units, passwd })

  it.each([
    ['nothing', changed([]), []],
    ['one policy', changed(['/etc/a']), [restart('a.service')]],
    ['None beside others is dropped', changed(['/etc/b', '/etc/c']), [drain]],
    ['only None collapses to one', changed(['/etc/b'], [], true), [none]],
    ['a Reboot stands alone', changed(['/etc/a', '/etc/d', '/etc/c']), [reboot]],
    ['a path without a policy reboots', changed(['/etc/a', '/etc/unknown']), [reboot]],
    ['a unit without a policy reboots', changed([], ['b.service']), [reboot]],
    [
      'equal actions are kept in order',
      changed(['/etc/a'], ['a.service']),
      [restart('a.service'), restart('a.service')],
    ],
  ])('gives, for %s, the actions in order', (_what, parts, expected) => {
    expect(disruptionActions(parts, policies).actions).toEqual(expected)
  })

  it('names the rule behind every action', () => {
    expect(disruptionActions(changed(['/etc/unknown'], ['a.service']), policies).because).toEqual([
      { subject: '/etc/unknown', rule: 'no node disruption policy for this path', actions: [reboot] },
      { subject: 'unit a.service', rule: 'node disruption policy for unit a.service', actions: [restart('a.service')] },
    ])
  })
})

describe('drainForActions', () => {
  it.each<[readonly PolicyAction[], boolean | 'depends']>([
    [[], false],
    [[none], false],
    [[restart('a.service')], false],
    [[drain, restart('a.service')], true],
    [[reboot], true],
    [[{ type: 'Special' }], 'depends'],
    [[{ type: 'Special' }, drain], true],
  ])('answers for %j', (actions, expected) => {
    expect(drainForActions(actions)).toBe(expected)
  })
})
