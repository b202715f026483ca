import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, type Tree } from '../../test/host/tree.ts'
import { dpkgFiles } from './dpkgFiles.ts'
import { rpmFiles } from './rpmFiles.ts'

const trees: Tree[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) tree.dispose()
})
const usrMerged = (): Tree => {
  const tree = hostTree({ 'usr/lib/': '', lib: { link: 'usr/lib' } })
  trees.push(tree)
  return tree
}
const none = { code: 1, stderr: 'dpkg-query: no path found matching pattern /x\n' }

describe('dpkgFiles', () => {
  const etc = [
    'chrony: /etc/chrony/chrony.conf',
    'dpkg, apt: /etc/shared',
    'libc6:amd64: /etc/libc.conf',
    'systemd, udev:amd64, dbus: /etc/many words',
    'diversion by dash from: /etc/diverted',
    'diversion by dash to: /etc/diverted.distrib',
  ].join('\n')
  it.each([
    ['/etc/chrony/chrony.conf', 'vendor'],
    ['/etc/shared', 'vendor'],
    ['/etc/libc.conf', 'vendor'],
    ['/etc/many words', 'vendor'],
    ['/etc/diverted', 'unknown'],
    ['/etc/ssh/sshd_config', 'unknown'],
    ['/opt/x', 'not-vendor'],
    ['/var/x', 'not-vendor'],
  ] as const)('says of %s: %s', async (path, ownership) => {
    const exec = scriptedExec({
      'dpkg-query --search /etc/*': etc,
      'dpkg-query --search /opt/*': none,
      'dpkg-query --search /var/x': none,
    })
    expect(await dpkgFiles(exec, usrMerged().files).ownership(path)).toBe(ownership)
  })

  it('asks once for all files of an update, and anew for the next', async () => {
    const exec = scriptedExec({ 'dpkg-query --search /etc/*': etc })
    let nowMs = 0
    const vendor = dpkgFiles(exec, usrMerged().files, { nowMs: () => nowMs })
    for (let index = 0; index < 100; index++) await vendor.ownership(`/etc/${index}`)
    expect(exec.ran.length).toBe(1)
    nowMs = 2_000
    await vendor.ownership('/etc/1')
    expect(exec.ran.length).toBe(2)
  })

  it('knows a file below a merged directory by either name', async () => {
    const exec = scriptedExec({
      'dpkg-query --search /usr/lib/systemd/a /lib/systemd/a': { code: 1, stdout: 'systemd: /lib/systemd/a\n' },
      'dpkg-query --search /lib/b /usr/lib/b': 'libb: /usr/lib/b\n',
    })
    const vendor = dpkgFiles(exec, usrMerged().files)
    expect(await vendor.ownership('/usr/lib/systemd/a')).toBe('vendor')
    expect(await vendor.ownership('/lib/b')).toBe('vendor')
    expect(await vendor.ownership('/usr/bin/a')).toBe('not-vendor')
    expect(exec.ran.at(-1)).toBe('dpkg-query --search /usr/bin/a')
  })

  it('takes a path for a name, not for a pattern', async () => {
    const exec = scriptedExec()
    await dpkgFiles(exec, usrMerged().files).ownership('/var/a*[b]?')
    expect(exec.ran).toEqual(['dpkg-query --search /var/a\\*\\[b\\]\\?'])
  })

  it('fails when the package database cannot be read', async () => {
    const exec = scriptedExec({ 'dpkg-query --search /etc/*': { code: 2, stderr: 'dpkg-query: error: locked' } })
    await expect(dpkgFiles(exec, usrMerged().files).ownership('/etc/a')).rejects.toThrow(/error: locked/)
  })
})

describe('rpmFiles', () => {
  it.each([
    [{ code: 0, stdout: 'chrony-4.3-1.el9.x86_64\n' }, 'vendor'],
    [{ code: 1, stdout: 'file /etc/x is not owned by any package\n' }, 'not-vendor'],
    [{ code: 1, stderr: 'error: file /etc/x: No such file or directory\n' }, 'not-vendor'],
  ] as const)('reads %j as %s', async (answer, ownership) => {
    expect(await rpmFiles(scriptedExec({ 'rpm -qf -- /etc/x': answer })).ownership('/etc/x')).toBe(ownership)
  })

  it('fails when the package database cannot be read', async () => {
    const exec = scriptedExec({ 'rpm -qf -- /etc/x': { code: 1, stderr: 'error: cannot open Packages database' } })
    await expect(rpmFiles(exec).ownership('/etc/x')).rejects.toThrow(/cannot open Packages/)
  })
})
