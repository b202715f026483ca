import { describe, expect, it } from 'vitest'
import { extensionsCommand } from './extensionPackages.ts'

describe('extensionsCommand', () => {
  it.each([
    { installed: [], extensions: [], command: [] },
    { installed: [], extensions: ['sysstat'], command: ['--install', 'sysstat'] },
    { installed: ['sysstat'], extensions: [], command: ['--uninstall', 'sysstat'] },
    {
      installed: ['pacemaker', 'sysstat'],
      extensions: ['two-node-ha', 'usbguard'],
      command: '--install fence-agents-all --install pcs --install usbguard --uninstall sysstat'.split(' '),
    },
    { installed: ['sysstat'], extensions: ['sysstat'], command: [] },
    {
      installed: ['sysstat', 'krb5-workstation', 'libkadm5'],
      extensions: ['sysstat'],
      command: ['--uninstall', 'krb5-workstation', '--uninstall', 'libkadm5'],
    },
    { installed: ['random-package'], extensions: ['sysstat'], command: ['--install', 'sysstat'] },
  ])('turns $installed into $extensions', ({ installed, extensions, command }) => {
    expect(extensionsCommand(installed, extensions)).toEqual(command)
  })
})
