import { describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, program } from '../../test/host/tree.ts'
import { keyFileOf, sshKeyFile } from './sshKeyFile.ts'

describe('sshKeyFile', () => {
  it('reads the configuration itself where sshd was never started and says nothing', async () => {
    const tree = hostTree({
      'usr/sbin/sshd': program,
      'etc/ssh/sshd_config': 'AuthorizedKeysFile .ssh/authorized_keys',
    })
    const exec = scriptedExec({ 'sshd -T': { code: 255, stderr: 'Missing privilege separation directory: /run/sshd' } })
    expect(await sshKeyFile(exec, tree.files)).toBe('.ssh/authorized_keys')
    tree.dispose()
  })
})

describe('keyFileOf', () => {
  it.each([
    [
      'authorizedkeyscommand none\nauthorizedkeysfile .ssh/authorized_keys .ssh/authorized_keys2',
      '.ssh/authorized_keys2',
    ],
    ['authorizedkeyscommand none\nauthorizedkeysfile .ssh/authorized_keys', '.ssh/authorized_keys'],
    [
      'authorizedkeyscommand /usr/libexec/ssh-key-dir\nauthorizedkeysfile .ssh/authorized_keys',
      '.ssh/authorized_keys.d/ignition',
    ],
    ['authorizedkeysfile .ssh/authorized_keys .ssh/authorized_keys.d/ignition', '.ssh/authorized_keys.d/ignition'],
    ['', '.ssh/authorized_keys'],
  ])('of the configuration %j is %s', (configuration, file) => {
    expect(keyFileOf(configuration)).toBe(file)
  })
})
