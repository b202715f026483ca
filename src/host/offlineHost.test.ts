import { afterEach, describe, expect, it } from 'vitest'
import { hostTree, program, type Tree } from '../../test/host/tree.ts'
import type { DirectoryHost } from './directoryHost.ts'
import { type OfflineHostOptions, offlineHost } from './offlineHost.ts'

const opened: { tree: Tree; host?: DirectoryHost }[] = []
afterEach(() => {
  for (const { tree, host } of opened.splice(0)) {
    host?.close()
    tree.dispose()
  }
})

type Entries = Parameters<typeof hostTree>[0]
async function open(entries: Entries, options?: OfflineHostOptions): Promise<DirectoryHost> {
  const tree = hostTree(entries)
  const one: (typeof opened)[number] = { tree }
  opened.push(one)
  one.host = await offlineHost(tree.path, options)
  return one.host
}

const debian: Entries = {
  'etc/os-release': { link: '../usr/lib/os-release' },
  'usr/lib/os-release': 'ID=debian\nVERSION_ID="12"\n',
  'usr/lib/systemd/systemd': program,
  'sbin/init': { link: '/lib/systemd/systemd' },
  lib: { link: 'usr/lib' },
}
const alpine: Entries = {
  'etc/os-release': 'ID=alpine\nVERSION_ID=3.20.3\n',
  'bin/busybox': program,
  'sbin/init': { link: '/bin/busybox' },
}

describe('offlineHost', () => {
  it.each<[string, Entries]>([
    ['an empty directory', {}],
    ['a directory with some files', { 'etc/chrony.conf': 'pool a', 'etc/os-release': 'ID=mco-simulated\n' }],
  ])('plays the machine of %s', async (_, entries) => {
    const host = await open(entries)
    expect(host.kernelArguments.kind).toBe('supported')
    expect((await open(entries, { mustRun: true })).description).toMatch(/^directory /)
  })

  it('refuses of an installed system what needs it to run, and works on its files', async () => {
    const host = await open(debian)
    expect(host.description).toMatch(/, which does not run$/)
    expect(host.kernelArguments).toEqual({ kind: 'unsupported', reason: expect.stringContaining('does not run') })
    expect(await host.identity()).toMatchObject({ id: 'debian', versionId: '12' })
    await host.files.createSymlink('/etc/link', 'target')
    expect(await host.files.readLink('/etc/link')).toBe('target')
  })

  it('refuses a system without systemd whole, and says which it found', async () => {
    await expect(open(alpine)).rejects.toThrow(/\(alpine\) does not use systemd.*nothing was touched/)
    await expect(open({ 'sbin/init': program })).rejects.toThrow(/\(unknown\) does not use systemd/)
  })

  it('tells a daemon that finds no running system what to mount', async () => {
    await expect(open(debian, { mustRun: true })).rejects.toThrow(/no systemd runs in .*debian.*mount the whole root/)
  })

  it.each<[string, Entries, string]>([
    ['without sshd', {}, '.ssh/authorized_keys.d/ignition'],
    ['with sshd as it comes', { 'usr/sbin/sshd': program, 'etc/ssh/sshd_config': '' }, '.ssh/authorized_keys2'],
    [
      'with one file only',
      { 'usr/sbin/sshd': program, 'etc/ssh/sshd_config': 'AuthorizedKeysFile .ssh/authorized_keys\n' },
      '.ssh/authorized_keys',
    ],
    [
      'with a drop-in, which comes first',
      {
        'usr/sbin/sshd': program,
        'etc/ssh/sshd_config': 'Include /etc/ssh/sshd_config.d/*.conf\nAuthorizedKeysFile .ssh/authorized_keys\n',
        'etc/ssh/sshd_config.d/10-keys.conf': '# keys\nauthorizedkeysfile = ".ssh/authorized_keys.d/ignition"\n',
        'etc/ssh/sshd_config.d/20-keys.conf': 'AuthorizedKeysFile none\n',
      },
      '.ssh/authorized_keys.d/ignition',
    ],
    [
      'with a file for one user',
      {
        'usr/sbin/sshd': program,
        'etc/ssh/sshd_config': 'Match User core\n  AuthorizedKeysFile .ssh/authorized_keys\n',
      },
      '.ssh/authorized_keys2',
    ],
  ])('names the key file that its sshd will read: %s', async (_, entries, file) => {
    expect((await open({ ...debian, ...entries })).authorizedKeysFile).toBe(file)
  })
})
