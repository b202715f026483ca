// Debian's own kubectl (package kubernetes-client).
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { unpackedPackages } from './debianPackages.mjs'

/** Path of Debian's kubectl. Ends the process with a clear message when neither it nor another kubectl can be had. */
export function debianKubectl() {
  const program = join('usr', 'bin', 'kubectl')
  const folder = unpackedPackages('debian-kubectl', ['kubernetes-client'], [program])
  if (folder) return join(folder, program)
  if (spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0) return undefined
  console.error(
    'The proofs need kubectl: put one on PATH, or make `apt-get download kubernetes-client` work (as root: apt-get update).',
  )
  process.exit(1)
}
