import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'

/** Programs, and the Debian packages that they are in. */
export type Programs = Readonly<Record<string, string>>

const hostPrograms: Programs = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  nsenter: 'util-linux',
  ip: 'iproute2',
}

/** What keeps this machine from booting test hosts, after an attempt to install it; undefined when nothing does. */
export function whatIsMissing(programs: Programs = hostPrograms): string | undefined {
  if (process.platform !== 'linux') return 'test hosts need Linux'
  if (process.getuid?.() !== 0) return 'test hosts need root (mounts, namespaces, machines)'
  const packages = missingPackages(programs)
  if (packages.length > 0) install(packages)
  const still = missingPackages(programs)
  if (still.length > 0)
    return `test hosts need the packages ${still.join(', ')}; \`apt-get install\` could not get them`
  return undefined
}

const missingPackages = (programs: Programs): readonly string[] =>
  Object.entries(programs)
    .filter(([program]) => !['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((path) => existsSync(`${path}/${program}`)))
    .map(([, name]) => name)

function install(packages: readonly string[]): void {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return
  console.log(`installing ${packages.join(', ')}`)
  const quiet = {
    stdio: ['ignore', 'ignore', 'inherit'] as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-qq'], { ...quiet, stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { ...quiet, stdio: 'ignore' })
}
