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
  it.each([
    ['/etc/chrony/chrony.conf', 'chrony: /etc/chrony/chrony.conf\n', 'vendor'],
    ['/etc/dpkg', 'dpkg, apt: /etc/dpkg\n', 'vendor'],
    ['/etc/libc.conf', 'libc6:amd64: /etc/libc.conf\n', 'vendor'],
    ['/etc/ssh/sshd_config', none, 'unknown'],
    ['/opt/x', none, 'not-vendor'],
    [
      '/opt/x',
      { code: 0, stdout: 'diversion by dash from: /opt/x\ndiversion by dash to: /opt/x.distrib\n' },
      'not-vendor',
    ],
  ] as const)('says of %s that it is as %j means: %s', async (path, answer, ownership) => {
    const exec = scriptedExec({ [`dpkg-query --search ${path}`]: answer })
    expect(await dpkgFiles(exec, usrMerged().files).ownership(path)).toBe(ownership)
  })

  it('asks for both names of a path below a merged directory', async () => {
    const exec = scriptedExec()
    const vendor = dpkgFiles(exec, usrMerged().files)
    await vendor.ownership('/usr/lib/systemd/system/a.service')
    await vendor.ownership('/lib/a')
    await vendor.ownership('/usr/bin/a')
    expect(exec.ran).toEqual([
      'dpkg-query --search /usr/lib/systemd/system/a.service /lib/systemd/system/a.service',
      'dpkg-query --search /lib/a /usr/lib/a',
      'dpkg-query --search /usr/bin/a',
    ])
  })

  it('takes a path for a name, not for a pattern', async () => {
    const exec = scriptedExec()
    await dpkgFiles(exec, usrMerged().files).ownership('/etc/a*[b]?')
    expect(exec.ran).toEqual(['dpkg-query --search /etc/a\\*\\[b\\]\\?'])
  })

  it('fails when the package database cannot be read', async () => {
    const exec = scriptedExec({ 'dpkg-query --search /etc/a': { code: 2, stderr: 'dpkg-query: error: locked' } })
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
