import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, program, type Tree } from '../../test/host/tree.ts'
import { systemAccounts } from './systemAccounts.ts'

const trees: Tree[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) tree.dispose()
})
const tree = (entries = {}): Tree => {
  const made = hostTree(entries)
  trees.push(made)
  return made
}

describe('systemAccounts', () => {
  it('reads users, groups and hashes as the host resolves them', async () => {
    const accounts = systemAccounts(
      scriptedExec({
        'getent -- passwd core': 'core:x:1000:1001:Core,,,:/var/home/core:/bin/bash\n',
        'getent -- group wheel': 'wheel:x:10:core\n',
        'getent -- shadow core': 'core:$6$salt$hash:19000:0:99999:7:::\n',
      }),
      tree().files,
    )
    expect(await accounts.user('core')).toEqual({ name: 'core', uid: 1000, gid: 1001, home: '/var/home/core' })
    expect(await accounts.group('wheel')).toBe(10)
    expect(await accounts.passwordHash('core')).toBe('$6$salt$hash')
  })

  it('does not take a name of digits for an id, nor an unknown name for an error', async () => {
    const accounts = systemAccounts(
      scriptedExec({ 'getent -- passwd 0': 'root:x:0:0:root:/root:/bin/bash\n', 'getent -- passwd none': { code: 2 } }),
      tree().files,
    )
    expect(await accounts.user('0')).toBeUndefined()
    expect(await accounts.user('none')).toBeUndefined()
  })

  it('sets a hash through standard input, and by usermod where there is no chpasswd', async () => {
    const exec = scriptedExec()
    await systemAccounts(exec, tree({ 'usr/sbin/chpasswd': program }).files).setPasswordHash('core', '$6$x')
    await systemAccounts(exec, tree().files).setPasswordHash('core', '*')
    expect(exec.ran).toEqual(['chpasswd --encrypted < core:$6$x', 'usermod --password * -- core'])
  })

  it('refuses a hash that would become another account', async () => {
    const exec = scriptedExec()
    await expect(systemAccounts(exec, tree().files).setPasswordHash('core', 'x\nroot:')).rejects.toThrow(/line break/)
    expect(exec.ran).toEqual([])
  })
})
