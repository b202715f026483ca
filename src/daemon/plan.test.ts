import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { config, newRoot, removeRoots, testHost } from '../../test/daemon/builders.ts'
import type { DirectoryHostOptions } from '../host/directoryHost.ts'
import { gatherFacts } from './hostFacts.ts'
import { emptyLoadedConfig, type LoadedConfig } from './loadConfig.ts'
import { defaultAuthorizedKeysFile, defaultSshUser, planUpdate } from './plan.ts'
import { describeStep } from './step.ts'

afterEach(removeRoots)

interface Case {
  readonly files?: Readonly<Record<string, string>>
  readonly old?: LoadedConfig
  readonly next: LoadedConfig
  readonly force?: boolean
  readonly directory?: DirectoryHostOptions
  readonly authorizedKeysFile?: string
  readonly delivered?: ReadonlySet<string>
}

async function plan(input: Case) {
  const { files = {}, old = config({ name: 'old' }), next, force = false, directory = {} } = input
  const { authorizedKeysFile = defaultAuthorizedKeysFile, delivered } = input
  const root = newRoot(files)
  const host = testHost(root, directory)
  const facts = await gatherFacts(host, old.view, next.view, {
    sshUser: defaultSshUser,
    authorizedKeysFile,
  })
  host.close()
  const result = planUpdate(old.view, next.view, facts, {
    force,
    authorizedKeysFile,
    currentConfigText: 'record',
    ...(delivered && { delivered }),
  })
  const steps = result.steps
    .filter((step) => !('path' in step) || !step.path.endsWith('/currentconfig'))
    .map(describeStep)
  return { ...result, steps, all: result.steps.map(describeStep) }
}

const vendor = { vendorFiles: { ownership: async () => 'vendor' as const } }
const stranger = { vendorFiles: { ownership: async () => 'not-vendor' as const } }
const orig = (path: string) => `/etc/machine-config-daemon/orig${path}.mcdorig`
const noorig = (path: string) => `/etc/machine-config-daemon/noorig${path}.mcdnoorig`

describe('planUpdate for files', () => {
  const one = config({ name: 'one', files: { '/etc/a': '1' } })
  it.each<[string, Case, readonly string[]]>([
    [
      'writes a new file after a stamp that there was none',
      { next: one },
      [`write ${noorig('/etc/a')} (mode 0644)`, 'write /etc/a (mode 0644)'],
    ],
    [
      'keeps what a package owns before it is replaced',
      { files: { 'etc/a': 'v' }, next: one, directory: vendor },
      [`copy /etc/a to ${orig('/etc/a')}`, 'write /etc/a (mode 0644)'],
    ],
    [
      'stamps what no package owns',
      { files: { 'etc/a': 'v' }, next: one, directory: stranger },
      [`write ${noorig('/etc/a')} (mode 0644)`, 'write /etc/a (mode 0644)'],
    ],
    [
      'keeps what the image has a copy of',
      { files: { 'etc/a': 'v', 'usr/etc/a': 'v' }, next: one, directory: stranger },
      [`copy /etc/a to ${orig('/etc/a')}`, 'write /etc/a (mode 0644)'],
    ],
    [
      'keeps what was there before, without a package database',
      { files: { 'etc/a': 'v' }, next: one },
      [`copy /etc/a to ${orig('/etc/a')}`, 'write /etc/a (mode 0644)'],
    ],
    [
      'leaves a file alone whose record did not change',
      { files: { 'etc/a': 'whatever' }, old: one, next: config({ files: { '/etc/a': '1' } }) },
      [],
    ],
    [
      'writes everything again when forced',
      {
        files: { 'etc/a': 'whatever', [noorig('/etc/a').slice(1)]: '' },
        old: one,
        next: config({ files: { '/etc/a': '1' } }),
        force: true,
      },
      ['write /etc/a (mode 0644)'],
    ],
    [
      'does not keep what an earlier config wrote',
      { files: { 'etc/a': '1' }, old: one, next: config({ files: { '/etc/a': '2' } }) },
      [`write ${noorig('/etc/a')} (mode 0644)`, 'write /etc/a (mode 0644)'],
    ],
    [
      'removes a file without an original, and its stamp',
      { files: { 'etc/a': '1', [noorig('/etc/a').slice(1)]: '' }, old: one, next: config({}) },
      [`remove ${noorig('/etc/a')}`, 'remove /etc/a'],
    ],
    [
      'brings a kept original back',
      { files: { 'etc/a': '1', [orig('/etc/a').slice(1)]: 'v' }, old: one, next: config({}) },
      [`copy ${orig('/etc/a')} to /etc/a`, `remove ${orig('/etc/a')}`],
    ],
    [
      'drops a kept original that no package owns any more',
      { files: { 'etc/a': '1', [orig('/etc/a').slice(1)]: 'v' }, old: one, next: config({}), directory: stranger },
      [`remove ${orig('/etc/a')}`, 'remove /etc/a'],
    ],
    ['does not mind a stale file that is gone', { old: one, next: config({}) }, []],
    [
      'keeps a stale file that a unit of the new config puts there',
      {
        files: { 'etc/systemd/system/a.service.d/x.conf': '[Unit]\n' },
        old: config({ files: { '/etc/systemd/system/a.service.d/x.conf': '[Unit]\n' } }),
        next: config({ units: [{ name: 'a.service', dropins: [{ name: 'x.conf', contents: '[Unit]\n' }] }] }),
      },
      [],
    ],
    [
      'leaves files to the writers that keep them up to date',
      {
        files: { 'etc/kubernetes/kubelet-ca.crt': 'x', 'etc/docker/certs.d/r/ca.crt': 'x' },
        old: config({ files: { '/etc/kubernetes/kubelet-ca.crt': 'x', '/etc/docker/certs.d/r/ca.crt': 'x' } }),
        next: config({}),
      },
      [],
    ],
    [
      'does not write the kubelet CA bundle on a running node',
      { next: config({ files: { '/etc/kubernetes/kubelet-ca.crt': 'x' } }) },
      [],
    ],
  ])('%s', async (_name, input, expected) => {
    expect((await plan(input)).steps).toEqual(expected)
  })

  it('writes the kubelet CA bundle with the config when it is held, and no file that is delivered', async () => {
    const files = { '/etc/kubernetes/kubelet-ca.crt': 'x', '/etc/docker/certs.d/r/ca.crt': 'x' }
    const written = async (...delivered: string[]) =>
      (
        await plan({ next: config({ files }), old: config({ name: 'old' }), delivered: new Set(delivered) })
      ).steps.filter((step) => step.includes('.crt') && !step.includes('mcdnoorig'))
    expect((await written()).join()).toMatch(/kubelet-ca.*certs\.d|certs\.d.*kubelet-ca/)
    expect((await written('/etc/docker/certs.d/r/ca.crt')).join()).not.toContain('certs.d')
    expect(await written(...Object.keys(files))).toEqual([])
  })

  it.each<[string, Case, RegExp]>([
    ['a directory in the way', { files: { 'etc/a/b': '' }, next: one }, /should be a file but is a directory/],
    [
      'append',
      { next: config({ storage: { files: [{ path: '/etc/a', append: [{ source: 'data:,x' }] }] } }) },
      /Append is not supported/,
    ],
    [
      'a remote source',
      { next: config({ storage: { files: [{ path: '/etc/a', contents: { source: 'https://h/x' } }] } }) },
      /could not decode file "\/etc\/a"/,
    ],
    [
      'an unknown owner',
      { next: config({ files: { '/etc/a': { text: 'x', user: { name: 'nobody' } } } }) },
      /failed to retrieve UserID for username: nobody/,
    ],
    [
      'a path among our own records',
      { next: config({ files: { '/var/lib/mco/journal/current/header.json': 'x' } }) },
      /belongs to the daemon's own records/,
    ],
    [
      'a file of the host where a directory should be',
      { files: { 'etc/app': 'x' }, next: config({ files: { '/etc/app/conf.d/a': 'x' } }) },
      /^\/etc\/app\/conf\.d\/a cannot be written: \/etc\/app is not a directory on this host; move it away$/,
    ],
    [
      'two files of the config, one below the other',
      { next: config({ files: { '/etc/app': 'x', '/etc/app/a': 'x' } }) },
      /^\/etc\/app\/a cannot be written: the config makes \/etc\/app a file, not a directory$/,
    ],
    [
      'a directory where a unit should be',
      {
        files: { 'etc/systemd/system/a.service/x': 'x' },
        next: config({ units: [{ name: 'a.service', contents: 'x' }] }),
      },
      /^\/etc\/systemd\/system\/a\.service should be a unit file but is a directory; move it away$/,
    ],
    [
      'a drop-in below a file',
      {
        files: { 'etc/systemd/system/a.service.d': 'x' },
        next: config({ units: [{ name: 'a.service', dropins: [{ name: 'd.conf', contents: 'x' }] }] }),
      },
      /a\.service\.d is not a directory on this host/,
    ],
    [
      'an unknown group',
      { next: config({ files: { '/etc/a': { text: 'x', group: { name: 'none' } } } }) },
      /failed to retrieve GroupID for group: none/,
    ],
  ])('names the problem of %s before anything is touched', async (_name, input, expected) => {
    expect((await plan(input)).problems.map(({ message }) => message)).toEqual([expect.stringMatching(expected)])
  })

  it('inflates gzip and never puts content into a step', async () => {
    const source = `data:;base64,${gzipSync('ok').toString('base64')}`
    const { all, contents } = await plan({
      next: config({ storage: { files: [{ path: '/etc/a', contents: { source, compression: 'gzip' } }] } }),
    })
    expect(JSON.stringify(all)).not.toContain('ok')
    expect([...contents.values()].map((content) => Buffer.from(content).toString())).toContain('ok')
  })

  it('resolves owners by the names of the host', async () => {
    const root = newRoot()
    const host = testHost(root)
    const next = config({ files: { '/etc/a': { text: '', user: { name: 'core' }, group: { name: 'wheel' } } } })
    const facts = await gatherFacts(host, next.view, next.view, { sshUser: 'core', authorizedKeysFile: 'x' })
    const { steps } = planUpdate(config({ name: 'x' }).view, next.view, facts, { currentConfigText: '' })
    expect(steps).toContainEqual(
      expect.objectContaining({ path: '/etc/a', attributes: { mode: 0o644, uid: 1000, gid: 10 } }),
    )
    host.close()
  })

  it('names the config last, so that it is true whenever it is there', async () => {
    const { all } = await plan({ next: config({ files: { '/etc/a': '1' }, kernelArguments: ['x'], keys: ['k'] }) })
    expect(all.at(-1)).toBe('write /etc/machine-config-daemon/currentconfig (mode 0600)')
  })
})

describe('planUpdate at the first contact', () => {
  it('does what Ignition does: directories, files, then links', async () => {
    const { steps } = await plan({
      old: emptyLoadedConfig,
      next: config({
        files: { '/etc/d/f': 'x' },
        storage: {
          directories: [{ path: '/etc/d', mode: 0o700 }],
          links: [
            { path: '/etc/l', target: 'd/f' },
            { path: '/etc/h', target: '/etc/d/f', hard: true },
          ],
        },
      }),
    })
    expect(steps).toEqual([
      'make directory /etc/d',
      `write ${noorig('/etc/d/f')} (mode 0644)`,
      'write /etc/d/f (mode 0644)',
      'link /etc/l to d/f',
      'hard link /etc/h to /etc/d/f',
    ])
  })
  it('does not replace a file by a link unless the config says overwrite', async () => {
    const link = (overwrite: boolean) => config({ storage: { links: [{ path: '/etc/l', target: 'x', overwrite }] } })
    expect((await plan({ files: { 'etc/l': '' }, old: emptyLoadedConfig, next: link(false) })).problems).toHaveLength(1)
    expect((await plan({ files: { 'etc/l': '' }, old: emptyLoadedConfig, next: link(true) })).steps).toEqual([
      'link /etc/l to x',
    ])
  })
  it('refuses what only an installation can do', async () => {
    const { refusals } = await plan({
      old: emptyLoadedConfig,
      next: config({ storage: { disks: [{ device: '/dev/sda' }] }, spec: { fips: true } }),
    })
    expect(refusals.map(({ field }) => field)).toEqual(['spec.config.storage.disks', 'spec.fips'])
  })
})

describe('planUpdate for units', () => {
  const dir = '/etc/systemd/system'
  const text = '[Install]\nWantedBy=multi-user.target\n'
  const enabledLink = { [`${dir.slice(1)}/a.service`]: text }
  const vendorUnit = { 'usr/lib/systemd/system/a.service': text }
  const unit = (rest: object) => config({ units: [{ name: 'a.service', ...rest }] })
  it.each<[string, Case, readonly string[]]>([
    [
      'contents, enabled',
      { next: unit({ contents: text, enabled: true }) },
      [`write ${dir}/a.service (mode 0644)`, 'enable a.service'],
    ],
    [
      'contents and drop-in, enabled',
      { next: unit({ contents: text, enabled: true, dropins: [{ name: 'x.conf', contents: 'y' }] }) },
      [`write ${dir}/a.service.d/x.conf (mode 0644)`, `write ${dir}/a.service (mode 0644)`, 'enable a.service'],
    ],
    ['no contents, enabled, unknown', { next: unit({ enabled: true }) }, []],
    ['no contents and empty drop-in, enabled', { next: unit({ enabled: true, dropins: [{ name: 'x.conf' }] }) }, []],
    [
      'no contents and drop-in with text, enabled',
      { next: unit({ enabled: true, dropins: [{ name: 'x.conf', contents: 'y' }] }) },
      [`write ${dir}/a.service.d/x.conf (mode 0644)`],
    ],
    ['no contents, disabled, unknown', { next: unit({ enabled: false }) }, []],
    ['contents, disabled', { next: unit({ contents: text, enabled: false }) }, [`write ${dir}/a.service (mode 0644)`]],
    ['vendor unit, enabled', { files: vendorUnit, next: unit({ enabled: true }) }, ['enable a.service']],
    ['mask', { next: unit({ mask: true }) }, [`link ${dir}/a.service to /dev/null`]],
    ['mask with contents', { next: unit({ mask: true, contents: text }) }, [`link ${dir}/a.service to /dev/null`]],
    [
      'mask and enabled',
      { next: unit({ mask: true, contents: text, enabled: true }) },
      [`link ${dir}/a.service to /dev/null`],
    ],
    [
      'enabled dropped without a preset',
      { files: enabledLink, old: unit({ contents: text }), next: unit({ contents: `${text}#` }) },
      [`write ${noorig(`${dir}/a.service`)} (mode 0644)`, `write ${dir}/a.service (mode 0644)`].slice(1),
    ],
    [
      'nothing said, preset enables',
      { files: { 'etc/systemd/system-preset/1.preset': 'enable a.service' }, next: unit({ contents: text }) },
      [`write ${dir}/a.service (mode 0644)`, 'enable a.service'],
    ],
    [
      'contents dropped',
      { files: enabledLink, old: unit({ contents: text }), next: unit({}) },
      [`remove ${dir}/a.service`],
    ],
    [
      'removed',
      { files: enabledLink, old: unit({ contents: text, enabled: true }), next: config({}) },
      [`remove ${dir}/a.service`],
    ],
    [
      'drop-in removed',
      {
        files: { 'etc/systemd/system/a.service.d/x.conf': 'y' },
        old: unit({ dropins: [{ name: 'x.conf', contents: 'y' }] }),
        next: unit({}),
      },
      [`remove ${dir}/a.service.d/x.conf`],
    ],
    [
      'drop-in emptied',
      {
        files: { 'etc/systemd/system/a.service.d/x.conf': 'y' },
        old: unit({ dropins: [{ name: 'x.conf', contents: 'y' }] }),
        next: unit({ dropins: [{ name: 'x.conf' }] }),
      },
      [`remove ${dir}/a.service.d/x.conf`],
    ],
    [
      "a stranger's unit is kept aside",
      { files: enabledLink, next: unit({ contents: 'ours' }) },
      [`copy ${dir}/a.service to ${orig(`${dir}/a.service`)}`, `write ${dir}/a.service (mode 0644)`],
    ],
  ])('%s', async (_name, input, expected) => {
    expect((await plan(input)).steps).toEqual(expected)
  })

  it('disables an enabled unit before its file changes, and enables it again after', async () => {
    const root = newRoot({ 'etc/systemd/system/a.service': text })
    const host = testHost(root)
    await host.services.enable(['a.service'])
    const old = unit({ contents: text, enabled: true })
    const next = unit({ contents: '[Install]\nWantedBy=other.target\n', enabled: true })
    const facts = await gatherFacts(host, old.view, next.view, { sshUser: 'core', authorizedKeysFile: 'x' })
    const { steps } = planUpdate(old.view, next.view, facts, { currentConfigText: '' })
    expect(steps.map(({ kind }) => kind).slice(0, 3)).toEqual(['disableUnits', 'writeFile', 'enableUnits'])
    host.close()
  })

  it('switches a vendor unit off again that we had switched on, where no preset speaks', async () => {
    const root = newRoot(vendorUnit)
    const host = testHost(root)
    await host.services.enable(['a.service'])
    const old = unit({ enabled: true })
    const next = config({})
    const facts = await gatherFacts(host, old.view, next.view, { sshUser: 'core', authorizedKeysFile: 'x' })
    expect(planUpdate(old.view, next.view, facts, { currentConfigText: '' }).steps.map(describeStep)[0]).toBe(
      'disable a.service',
    )
    host.close()
  })
})

describe('planUpdate for users', () => {
  const home = '/home/core/.ssh'
  it.each<[string, Case, readonly string[]]>([
    [
      'keys on a fresh home',
      { next: config({ keys: ['k1', 'k2'] }) },
      [
        `make directory ${home}`,
        `make directory ${home}/authorized_keys.d`,
        `write ${home}/authorized_keys.d/ignition (mode 0600)`,
      ],
    ],
    [
      'a .ssh of somebody else is moved away',
      { files: { 'home/core/.ssh/config': 'x' }, next: config({ keys: ['k'] }) },
      [
        `move ${home} out of the way`,
        `make directory ${home}`,
        `make directory ${home}/authorized_keys.d`,
        `write ${home}/authorized_keys.d/ignition (mode 0600)`,
      ],
    ],
    ['no such user', { files: { 'etc/passwd': 'root:x:0:0::/root:/bin/sh\n' }, next: config({ keys: ['k'] }) }, []],
    [
      'a password hash',
      { next: config({ passwordHash: '$6$x' }) },
      [
        `make directory ${home}`,
        `make directory ${home}/authorized_keys.d`,
        `write ${home}/authorized_keys.d/ignition (mode 0600)`,
        'set the password hash of core',
      ],
    ],
    [
      'the same password hash',
      { files: { 'etc/shadow': 'core:$6$x:::::::\n' }, next: config({ passwordHash: '$6$x' }) },
      [
        `make directory ${home}`,
        `make directory ${home}/authorized_keys.d`,
        `write ${home}/authorized_keys.d/ignition (mode 0600)`,
      ],
    ],
    [
      'the user leaves the config: locked, not open',
      { files: { 'etc/shadow': 'core:$6$x:::::::\n' }, old: config({ passwordHash: '$6$x' }), next: config({}) },
      [
        `make directory ${home}`,
        `make directory ${home}/authorized_keys.d`,
        `write ${home}/authorized_keys.d/ignition (mode 0600)`,
        'set the password hash of core',
      ],
    ],
    [
      'no keys for a file that others write too',
      { authorizedKeysFile: '.ssh/authorized_keys', next: config({ passwordHash: '$6$x' }) },
      [`make directory ${home}`, 'set the password hash of core'],
    ],
    ['nothing about users changed', { old: config({ keys: ['k'] }), next: config({ keys: ['k'] }) }, []],
  ])('%s', async (_name, input, expected) => {
    expect((await plan(input)).steps).toEqual(expected)
  })
  it('never carries the hash in a step', async () => {
    const { all, contents } = await plan({ next: config({ passwordHash: '$6$secret' }) })
    expect(JSON.stringify(all)).not.toContain('secret')
    expect([...contents.values()].map((content) => Buffer.from(content).toString())).toContain('$6$secret')
  })
})

describe('planUpdate for the machine', () => {
  it('keeps foreign kernel arguments, order and duplicates', async () => {
    const { steps } = await plan({
      files: { 'boot/mco-kernel-arguments': 'root=x\na\nb=1\na\n' },
      old: config({ kernelArguments: ['a', 'b=1'] }),
      next: config({ kernelArguments: ['b=2', 'c="d e" f'] }),
    })
    expect(steps).toEqual(['set kernel arguments for the next boot: root=x a b=2 c="d e" f'])
  })
  it('refuses each part that the host has no adapter for, and nothing when it does not change', async () => {
    const next = config({
      osImageURL: 'img@sha256:1',
      kernelArguments: ['a'],
      spec: { kernelType: 'realtime', extensions: ['usbguard'] },
    })
    const { refusals } = await plan({ next, directory: { kernelArguments: false } })
    expect(refusals.map(({ field }) => field)).toEqual([
      'spec.kernelArguments',
      'spec.osImageURL',
      'spec.kernelType',
      'spec.extensions',
    ])
    expect((await plan({ old: next, next, directory: { kernelArguments: false } })).refusals).toEqual([])
  })
  it('switches the image where the host can', async () => {
    const { steps } = await plan({ next: config({ osImageURL: 'img@sha256:1' }), directory: { osImage: true } })
    expect(steps).toEqual(['switch the next boot to OS image img@sha256:1'])
  })
})
