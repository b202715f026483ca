import { stringify } from 'yaml'

const pointerPath = '/etc/mco/pointer.ign'

/**
 * A pointer for images with cloud-init instead of Ignition: user data that writes it for root only and has `mco`, which must be
 * on the image, follow it. The user of the configs is made by cloud-init.
 */
export function pointerToCloudInit(pointer: string, sshUser = 'core'): string {
  const data = {
    users: ['default', { name: sshUser, shell: '/bin/bash', lock_passwd: true }],
    write_files: [{ path: pointerPath, owner: 'root:root', permissions: '0600', content: pointer }],
    runcmd: [['mco', 'firstboot', '--pointer', pointerPath]],
  }
  return `#cloud-config\n${stringify(data, { lineWidth: 0 })}`
}
