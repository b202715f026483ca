import { expect, test } from 'vitest'
import { fragment, ignition } from '../../test/kube/renderObjects.ts'
import type { MachineConfigSpec } from '../api/machineConfig.ts'
import { blameFragment } from './blameFragment.ts'
import { fragmentParser } from './parseFragment.ts'
import { type IrreconcilableOverrides, type IrreconcilableRule, reconcilable } from './reconcilable.ts'

type Config = Readonly<Record<string, unknown>>
const { parse } = fragmentParser()
const side = (name: string, spec: MachineConfigSpec) => parse(fragment(name, spec))

const storage = (sections: Config) => ignition({ storage: sections })
const users = (...list: readonly Config[]) => ignition({ passwd: { users: list } })
const core = { name: 'core', sshAuthorizedKeys: ['1'] }
const file = (extra: Config) => storage({ files: [{ path: '/a', ...extra }] })
const none = ignition()

test.each<readonly [string, Config, Config, IrreconcilableRule | undefined]>([
  ['identical empty configs', none, none, undefined],
  ['an unknown version', none, { ignition: { version: '4.0.0' } }, 'unreadable'],
  ['a mode above 0777', none, file({ mode: 1023, contents: { source: 'data:,' } }), 'unreadable'],
  ['a group added', none, ignition({ passwd: { groups: [{ name: 'g' }] } }), 'passwd'],
  ['core keys added', none, users(core), undefined],
  ['core with a password hash only', none, users({ name: 'core', passwordHash: 'x' }), undefined],
  ['another user', users(core), users({ name: 'bob', sshAuthorizedKeys: ['1'] }), 'passwd'],
  ['a second user', users(core), users(core, { name: 'bob' }), 'passwd'],
  ['core with homeDir', users(core), users({ ...core, homeDir: '/x' }), 'passwd'],
  ['core without keys', users(core), users({ name: 'core', sshAuthorizedKeys: [] }), 'passwd'],
  ['all users removed', users(core), none, undefined],
  ['kernel arguments in Ignition', none, ignition({ kernelArguments: { shouldExist: ['a'] } }), 'kernelArguments'],
  ['disks added', none, storage({ disks: [{ device: '/dev/a' }] }), 'disks'],
  ['filesystems removed', storage({ filesystems: [{ device: '/dev/a', format: 'xfs' }] }), none, 'filesystems'],
  ['raid added', none, storage({ raid: [{ name: 'm', level: 'raid1', devices: ['/dev/a'] }] }), 'raid'],
  ['directories added', none, storage({ directories: [{ path: '/d' }] }), 'directories'],
  ['a link added', none, storage({ links: [{ path: '/l', target: '/t' }] }), 'links'],
  ['all links removed', storage({ links: [{ path: '/l', target: '/t' }] }), none, undefined],
  ['luks removed', storage({ luks: [{ name: 'l', device: '/dev/a' }] }), none, undefined],
  ['append', none, file({ append: [{ source: 'data:,x' }] }), 'append'],
  ['the force file', none, storage({ files: [{ path: '/run/machine-config-daemon-force' }] }), 'forceFile'],
])('reconcilable with %s', (_name, old, next, rule) => {
  const verdict = reconcilable(side('old', { config: old }), side('next', { config: next }))
  expect(verdict.kind === 'irreconcilable' ? verdict.rule : undefined).toBe(rule)
})

test.each<readonly [IrreconcilableOverrides, boolean]>([
  [{ storage: ['Disks'] }, true],
  [{ storage: ['Raid', 'FileSystems'] }, false],
  [{}, false],
])('reconcilable with disks changed and overrides %j is %s', (overrides, expected) => {
  const next = side('next', { config: storage({ disks: [{ device: '/dev/a' }] }) })
  expect(reconcilable(side('old', { config: none }), next, overrides).kind === 'reconcilable').toBe(expected)
})

test('reconcilable refuses a FIPS change and words it as the original does', () => {
  expect(reconcilable(side('old', { config: none }), side('next', { config: none, fips: true }))).toEqual({
    kind: 'irreconcilable',
    rule: 'fips',
    reason: 'detected change to FIPS flag; refusing to modify FIPS on a running cluster',
    message:
      'new machineconfig "old" is not reconcilable against "next": detected change to FIPS flag; refusing to modify FIPS on a running cluster',
  })
})

test('blameFragment names the first fragment that is refused for the same reason', () => {
  const current = side('current', { config: none })
  const harmless = side('10', { config: none })
  const guilty = side('20', { config: storage({ directories: [{ path: '/d' }] }) })
  const verdict = reconcilable(current, side('rendered', { config: storage({ directories: [{ path: '/d' }] }) }))
  if (verdict.kind === 'reconcilable') throw new Error('expected a refusal')
  expect(blameFragment(verdict, current, [harmless, guilty], {})).toEqual({
    fragment: '20',
    message:
      'reconciliation failed between current config "current" and base config "20": ignition directories section contains changes',
  })
})
