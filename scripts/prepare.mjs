// Makes a checkout usable: the right Node, the locked packages. Everything else calls this first.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Installs the locked packages unless these very ones are there. Exits with a clear message on failure. */
export function prepare() {
  requireNode(20, 19)
  process.chdir(root)
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.cache', 'mco', 'installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Installing the locked npm packages (once) …')
  const npm = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
    cwd: root,
  })
  if (npm.status !== 0) {
    console.error('`npm ci` failed (its output is above). Check that the npm registry is reachable, then run it again.')
    process.exit(1)
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** Runs a command in the checkout, shows its output, and exits with its code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: root, ...options })
  if (error) console.error(`cannot start ${command}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split('.').map(Number)
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return
  console.error(
    `mco needs Node ${major}.${minor} or newer; this is Node ${process.versions.node} (${process.execPath}).`,
  )
  process.exit(1)
}
