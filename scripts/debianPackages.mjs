// Programs of Debian packages, unpacked into the cache of this checkout; nothing is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/**
 * The folder with the unpacked packages, or undefined when they cannot be had. `programs` are paths in it that say whether
 * it is complete.
 */
export function unpackedPackages(name, packages, programs) {
  const folder = join(root, 'node_modules', '.cache', name)
  const isComplete = () => programs.every((program) => existsSync(join(folder, program)))
  if (isComplete()) return folder
  mkdirSync(folder, { recursive: true })
  const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  if (spawnSync('apt-get', ['download', ...packages], quiet).status !== 0) return undefined
  for (const archive of readdirSync(folder).filter((file) => file.endsWith('.deb')))
    if (spawnSync('dpkg', ['-x', archive, '.'], quiet).status !== 0) return undefined
  return isComplete() ? folder : undefined
}
