// `npm run test:alerts`: the alerting rules, against invented series with promtool and in a Prometheus beside a cluster;
// both are Debian's, unpacked into the cache.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { buildMco } from './build.mjs'
import { debianKubectl } from './debianKubectl.mjs'
import { unpackedPackages } from './debianPackages.mjs'
import { prepare, run } from './prepare.mjs'

prepare()
const programs = ['promtool', 'prometheus']
const pathOf = (program) => join('usr', 'bin', program)
const folder = unpackedPackages('debian-prometheus', ['prometheus'], programs.map(pathOf))
const areOnPath = programs.every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)
if (!folder && !areOnPath) {
  console.error(
    'cannot test the alerts: put promtool and prometheus on PATH, or make `apt-get download prometheus` work (as root: apt-get update)',
  )
  process.exit(2)
}
await buildMco({ onlyIfStale: true })
const kubectl = debianKubectl()
const env = {
  ...process.env,
  PROMTOOL: folder ? join(folder, pathOf('promtool')) : 'promtool',
  PROMETHEUS: folder ? join(folder, pathOf('prometheus')) : 'prometheus',
  ...(kubectl && { KUBECTL: kubectl }),
}
for (const part of ['main', 'live']) run('node', ['scripts/run.mjs', `test/alerts/${part}.ts`], { env })
