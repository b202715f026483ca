// Debian's own kubectl (package kubernetes-client), unpacked into the cache of this checkout; nothing is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from './prepare.mjs'

const folder = join(root, 'node_modules', '.cache', 'debian-kubectl')

/** Path of Debian's kubectl. Ends the process with a clear message when neither it nor another kubectl can be had. */
export function debianKubectl() {
  const program = join(folder, 'usr', 'bin', 'kubectl')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  const fetched = spawnSync('apt-get', ['download', 'kubernetes-client'], quiet)
  const archive = fetched.status === 0 ? readdirSync(folder).find((name) => name.endsWith('.deb')) : undefined
  if (archive && spawnSync('dpkg', ['-x', archive, '.'], quiet).status === 0 && existsSync(program)) return program
  if (spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0) return undefined
  console.error(
    'The proofs need kubectl: put one on PATH, or make `apt-get download kubernetes-client` work (as root: apt-get update).',
  )
  process.exit(1)
}
