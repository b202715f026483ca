import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { execute } from '../e2e/harness.ts'

const packages = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'openssh-server',
  'openssh-client',
  'ca-certificates',
  'openssl',
  'grub2-common',
  'iproute2',
  'chrony',
  'procps',
  // Runs the daemon as a container.
  'crun',
  // A package database of the other kind.
  'rpm',
]

/** What a machine has that debootstrap does not make: a kernel to boot, a user, and no waiting for hardware. */
const additions: Readonly<Record<string, { readonly text: string; readonly mode?: number }>> = {
  '/etc/hostname': { text: 'mco-test\n' },
  '/etc/resolv.conf': { text: '' },
  '/boot/vmlinuz-6.1.0-test': { text: 'a kernel\n' },
  '/boot/initrd.img-6.1.0-test': { text: 'its initrd\n' },
  '/boot/grub/grubenv': { text: '' },
  // There is no disk below a container: what GRUB's probe would say of an ordinary one.
  '/usr/sbin/grub-probe': {
    mode: 0o755,
    text: `#!/bin/sh
target=
while [ $# -gt 0 ]; do
  case "$1" in --target=*) target="\${1#--target=}" ;; -t|--target) target="$2"; shift ;; esac
  shift
done
case "$target" in
  device) echo /dev/vda1 ;;
  fs) echo ext2 ;;
  drive) echo '(hd0,gpt1)' ;;
  partmap) echo gpt ;;
  fs_uuid|partuuid) echo 11111111-2222-3333-4444-555555555555 ;;
esac
`,
  },
  // The boot loader: the kernel's command line is what the menu's first entry says.
  '/usr/local/sbin/mco-test-boot': {
    mode: 0o755,
    text: `#!/bin/sh
line=$(sed -n 's/^[[:space:]]*linux[[:space:]]*[^[:space:]]* *//p' /boot/grub/grub.cfg | head -n 1)
printf 'BOOT_IMAGE=/boot/vmlinuz-6.1.0-test %s\\n' "$line" > /run/mco-test-cmdline
mount --bind /run/mco-test-cmdline /proc/cmdline
`,
  },
  '/etc/systemd/system/mco-test-boot.service': {
    text: `[Unit]
DefaultDependencies=no
Before=sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/sbin/mco-test-boot
[Install]
WantedBy=sysinit.target
`,
  },
  // chronyd may not set the clock of a container: it runs without doing so.
  '/etc/systemd/system/chrony.service.d/10-container.conf': { text: '[Unit]\nConditionCapability=\n' },
  '/etc/default/chrony': { text: 'DAEMON_OPTS="-x"\n' },
  '/etc/systemd/network/10-host0.network': { text: '[Match]\nName=host0\n[Link]\nRequiredForOnline=no\n' },
}

const commands: readonly (readonly string[])[] = [
  ['useradd', '--create-home', '--shell', '/bin/bash', '--password', '*', 'core'],
  ['systemctl', 'enable', 'systemd-networkd.service', 'mco-test-boot.service', 'ssh.service'],
  ['systemctl', 'disable', 'systemd-networkd-wait-online.service'],
  ['systemctl', 'mask', 'apt-daily.timer', 'apt-daily-upgrade.timer', 'e2scrub_all.timer', 'e2scrub_reap.service'],
  ['systemctl', 'mask', 'console-getty.service', 'getty@tty1.service', 'systemd-timesyncd.service'],
  ['update-grub'],
]

/** A Debian tree that boots as a container, made once into the cache. */
export const baseTree = (): Promise<string> => debianTree({ packages, additions, commands })

/** What a tree has: all of it says whether the one in the cache is the same. */
export interface TreeRecipe {
  readonly packages: readonly string[]
  /** Files that are there before the commands run. */
  readonly additions: Readonly<Record<string, { readonly text: string; readonly mode?: number }>>
  /** Run in the tree; what one mounts is gone after it. */
  readonly commands: readonly (readonly string[])[]
}

/** A Debian tree, made once into the cache. */
export async function debianTree({ packages, additions, commands }: TreeRecipe): Promise<string> {
  const cache = resolve(process.env.MCO_HOST_CACHE ?? join('node_modules', '.cache', 'mco', 'hosts'))
  const recipe = createHash('sha256')
    .update(JSON.stringify([packages, additions, commands]))
    .digest('hex')
  const tree = join(cache, `bookworm-${recipe.slice(0, 12)}`)
  if ((await textOrNothing(join(tree, 'etc', 'mco-test-recipe'))) === recipe) return tree
  console.log('building the Debian tree (once, about a minute and a half)')
  const building = `${tree}.building`
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true })
  const list = `--include=${packages.join(',')}`
  await must('debootstrap', ['--variant=minbase', list, 'bookworm', building], 900_000)
  for (const [path, { text, mode }] of Object.entries(additions)) {
    await mkdir(dirname(join(building, path)), { recursive: true })
    await writeFile(join(building, path), text)
    await chmod(join(building, path), mode ?? 0o644)
  }
  for (const command of commands) await must('unshare', ['--mount', 'chroot', building, ...command], 600_000)
  // Made at the first boot, as on an installed machine.
  await writeFile(join(building, 'etc', 'machine-id'), '')
  await writeFile(join(building, 'etc', 'mco-test-recipe'), recipe)
  await rename(building, tree)
  return tree
}

async function must(program: string, args: readonly string[], timeoutMs: number): Promise<void> {
  const { code, stdout, stderr } = await execute(program, args, {
    timeoutMs,
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout.slice(-1500)}\n${stderr.slice(-1500)}`)
}

async function textOrNothing(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}
