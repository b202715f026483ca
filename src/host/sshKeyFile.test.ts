import { describe, expect, it } from 'vitest'
import { keyFileOf } from './sshKeyFile.ts'

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
