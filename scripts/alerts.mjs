// `npm run test:alerts`: the alerting rules, checked and run against invented series by promtool of Debian's prometheus.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { unpackedPackages } from './debianPackages.mjs'
import { prepare, root } from './prepare.mjs'

prepare()
const program = join('usr', 'bin', 'promtool')
const folder = unpackedPackages('debian-prometheus', ['prometheus'], [program])
const onPath = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0
if (!folder && !onPath) {
  console.error(
    'cannot test the alerts: put promtool on PATH, or make `apt-get download prometheus` work (as root: apt-get update)',
  )
  process.exit(2)
}
const { status } = spawnSync('node', ['scripts/run.mjs', 'test/alerts/main.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
  env: { ...process.env, PROMTOOL: folder ? join(folder, program) : 'promtool' },
})
process.exitCode = status ?? 1
