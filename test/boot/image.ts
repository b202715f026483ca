import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execute } from '../e2e/harness.ts'
import { debianTree } from '../hosts/baseTree.ts'

/** Where the machine's own partition begins, as the file system tools want it. */
export const partitionOffset = 1 << 20
const sizeBytes = 2 * 2 ** 30
const sectorBytes = 512
const rootUuid = '6d636f00-0000-4000-8000-000000000001'

const packages = [
  ...['systemd', 'systemd-sysv', 'dbus', 'udev', 'kmod', 'iproute2', 'ca-certificates', 'curl'],
  ...['e2fsprogs', 'grub2-common', 'grub-pc-bin', 'chrony', 'policycoreutils'],
]

const additions: Readonly<Record<string, { readonly text: string; readonly mode?: number }>> = {
  '/etc/hostname': { text: 'localhost\n' },
  '/etc/fstab': { text: `UUID=${rootUuid} / ext4 defaults 0 1\nLABEL=mco /opt/mco ext4 ro 0 0\n` },
  '/opt/mco/README': { text: 'The disk with mco is mounted here.\n' },
  '/usr/local/bin/mco': { mode: 0o755, text: '#!/bin/sh\nexec /opt/mco/node /opt/mco/dist/mco.mjs "$@"\n' },
  '/etc/systemd/network/10-dhcp.network': { text: '[Match]\nType=ether\n[Network]\nDHCP=ipv4\n' },
  // Ignition labels what it writes, whatever the machine's security module is: a policy that labels nothing.
  '/etc/selinux/config': { text: 'SELINUX=disabled\nSELINUXTYPE=test\n' },
  '/etc/selinux/test/contexts/files/file_contexts': { text: '' },
  '/etc/dracut.conf.d/10-ignition.conf': {
    text: `hostonly=no
compress=gzip
add_dracutmodules+=" ignition systemd-networkd "
omit_dracutmodules+=" network-legacy ifcfg iscsi nfs multipath dmraid mdraid lvm crypt plymouth btrfs dm nvdimm "
add_drivers+=" virtio_net virtio_blk virtio_pci qemu_fw_cfg ext4 "
`,
  },
  // What tells the first boot from the others: the boot loader sees this file, the system removes it.
  '/boot/ignition.firstboot': { text: '' },
  '/etc/grub.d/01_ignition': {
    mode: 0o755,
    text: `#!/bin/sh
cat <<'END'
set ignition_firstboot=
if [ -f /boot/ignition.firstboot ]; then set ignition_firstboot="ignition.firstboot rd.neednet=1 ip=dhcp"; fi
END
`,
  },
  '/etc/default/grub': {
    text: `GRUB_DEFAULT=0
GRUB_TIMEOUT=0
GRUB_TERMINAL=console
GRUB_DISTRIBUTOR=Debian
GRUB_CMDLINE_LINUX_DEFAULT=
GRUB_CMDLINE_LINUX="rw console=ttyS0 ignition.platform.id=qemu systemd.journald.forward_to_console=1 systemd.show_status=0 \\$ignition_firstboot"
`,
  },
  '/etc/systemd/system/ignition-firstboot-complete.service': {
    text: `[Unit]
Description=Ignition has run, the next boot is an ordinary one
ConditionPathExists=/boot/ignition.firstboot
DefaultDependencies=no
After=local-fs.target
Before=sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/rm /boot/ignition.firstboot
[Install]
WantedBy=sysinit.target
`,
  },
  // There is no disk below the tree yet; GRUB is told what there will be.
  '/root/grub-probe': {
    mode: 0o755,
    text: `#!/bin/sh
case "$*" in
  *target=device*) echo /dev/vda1 ;;
  *target=fs_uuid*) echo ${rootUuid} ;;
  *target=fs*) echo ext2 ;;
  *target=partmap*) echo msdos ;;
esac
`,
  },
}

const grubModules = ['biosdisk', 'part_msdos', 'ext2', 'normal', 'linux', 'search', 'search_fs_uuid', 'test', 'echo']
const inTree = (script: string): readonly string[] => ['sh', '-ec', `mount -t proc proc /proc\n${script}`]

const commands: readonly (readonly string[])[] = [
  inTree(
    'apt-get install -y -qq --no-install-recommends dracut dracut-network ignition linux-image-cloud-amd64 && apt-get clean',
  ),
  ['systemctl', 'enable', 'systemd-networkd.service', 'ignition-firstboot-complete.service'],
  ['systemctl', 'mask', 'apt-daily.timer', 'apt-daily-upgrade.timer', 'e2scrub_all.timer', 'e2scrub_reap.service'],
  inTree('mkdir -p /boot/grub\nmount --bind /root/grub-probe /usr/sbin/grub-probe\nupdate-grub'),
  ['grub-mkimage', '-O', 'i386-pc', '-o', '/boot/grub/core.img', '-p', '(hd0,msdos1)/boot/grub', ...grubModules],
  // The machine has the name servers of its own network.
  ['sh', '-c', ': > /etc/resolv.conf; rm /root/grub-probe'],
]

/** A disk that was never booted: Debian, GRUB in its boot sector, Ignition in its initramfs. Made at `path`. */
export async function makeDisk(path: string): Promise<void> {
  const tree = await debianTree({ packages, additions, commands })
  // Without one systemd takes the boot for the first: presets decide then which units are enabled.
  for (const id of ['etc/machine-id', 'var/lib/dbus/machine-id']) await rm(join(tree, id), { force: true })
  const building = `${path}.building`
  await rm(building, { force: true })
  const disk = await open(building, 'w')
  try {
    await disk.truncate(sizeBytes)
  } finally {
    await disk.close()
  }
  const place = ['-E', `offset=${partitionOffset}`, building, `${(sizeBytes - partitionOffset) / 1024}k`]
  await must('mke2fs', ['-q', '-t', 'ext4', '-U', rootUuid, '-L', 'root', '-d', tree, ...place])
  await writeBootSector(building, tree)
  await rename(building, path)
}

/** A read-only file system with what runs inside; `folder` becomes its root. */
export async function makeProgramDisk(path: string, folder: string): Promise<void> {
  await rm(path, { force: true })
  await must('mke2fs', ['-q', '-t', 'ext4', '-L', 'mco', '-d', folder, path, '256m'])
}

/** What `grub-install` does on a mounted disk: the loader before the only partition, and the table that names it. */
async function writeBootSector(path: string, tree: string): Promise<void> {
  const sector = Buffer.alloc(sectorBytes)
  const boot = await readFile(join(tree, 'usr/lib/grub/i386-pc/boot.img'))
  boot.copy(sector, 0, 0, 440)
  const table = 446
  sector[table] = 0x80
  sector[table + 4] = 0x83
  sector.writeUInt32LE(partitionOffset / sectorBytes, table + 8)
  sector.writeUInt32LE((sizeBytes - partitionOffset) / sectorBytes, table + 12)
  sector.writeUInt16LE(0xaa55, 510)
  const core = await readFile(join(tree, 'boot/grub/core.img'))
  if (core.length > partitionOffset - sectorBytes)
    throw new Error(`GRUB's core has ${core.length} bytes and does not fit before the partition`)
  const disk = await open(path, 'r+')
  try {
    await disk.write(Buffer.concat([sector, core]), 0, sectorBytes + core.length, 0)
  } finally {
    await disk.close()
  }
}

async function must(program: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await execute(program, args, { timeoutMs: 300_000 })
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
}
