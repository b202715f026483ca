import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { pointerToCloudInit } from './cloudInit.ts'

describe('pointerToCloudInit', () => {
  it('keeps the pointer for root and has mco follow it', () => {
    const text = pointerToCloudInit('{"ignition":{"version":"3.5.0"}}')
    expect(text.split('\n')[0]).toBe('#cloud-config')
    expect(parse(text)).toEqual({
      users: ['default', { name: 'core', shell: '/bin/bash', lock_passwd: true }],
      write_files: [
        {
          path: '/etc/mco/pointer.ign',
          owner: 'root:root',
          permissions: '0600',
          content: '{"ignition":{"version":"3.5.0"}}',
        },
      ],
      runcmd: [['mco', 'firstboot', '--pointer', '/etc/mco/pointer.ign']],
    })
  })
})
