// `npm run test:join`: machines that join, set up by the real Ignition of Debian. Needs root: Ignition gives files owners.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { buildMco } from './build.mjs'
import { debianKubectl } from './debianKubectl.mjs'
import { unpackedPackages } from './debianPackages.mjs'
import { prepare, root } from './prepare.mjs'

const cannot = (reason) => {
  console.error(`cannot set up joining machines: ${reason}`)
  process.exit(2)
}

prepare()
if (process.platform !== 'linux' || process.getuid?.() !== 0) cannot('that needs Linux and root')
const ignition = join('usr', 'lib', 'dracut', 'modules.d', '30ignition', 'ignition')
// Ignition runs setfiles at the end, whatever the machine's security module is.
const packages = ['ignition', 'policycoreutils', 'libsepol2', 'libselinux1', 'libaudit1']
const folder = unpackedPackages('debian-ignition', packages, [ignition, join('sbin', 'setfiles')])
if (!folder) cannot(`\`apt-get download ${packages.join(' ')}\` does not work here (as root: apt-get update)`)
await buildMco({ onlyIfStale: true })
const kubectl = debianKubectl()
const { status } = spawnSync('node', ['scripts/run.mjs', 'test/join/main.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
  env: {
    ...process.env,
    IGNITION: join(folder, ignition),
    IGNITION_VALIDATE: join(folder, 'usr', 'bin', 'ignition-validate'),
    IGNITION_PROGRAMS: join(folder, 'sbin'),
    ...(kubectl && { KUBECTL: kubectl }),
  },
})
process.exitCode = status ?? 1
