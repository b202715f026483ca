// The proofs: whole flows through the real HTTP API with real clients. `npm run e2e [NAME ...]`; without a name, all.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { buildMco } from './build.mjs'
import { debianKubectl } from './debianKubectl.mjs'
import { prepare, root } from './prepare.mjs'

const proofs = [
  'offline',
  'kubectl',
  'officialClient',
  'apiConformance',
  'rollout',
  'badInput',
  'pdbDeadlock',
  'explain',
  'wait',
  'wayBack',
  'plan',
  'metrics',
  'certificates',
  'faults',
  'crash',
  'daemon',
  'docs',
]

prepare()
await buildMco({ onlyIfStale: true })
const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'))
const unknown = wanted.filter((name) => !proofs.includes(name))
if (unknown.length > 0) {
  console.error(`no proof named ${unknown.join(', ')}; there are ${proofs.join(', ')}`)
  process.exit(2)
}
const old = debianKubectl()
const newer = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0 ? 'kubectl' : undefined
const failed = []
for (const proof of wanted.length > 0 ? wanted : proofs) {
  const programs = proof === 'kubectl' ? [old, newer] : [newer ?? old]
  for (const kubectl of programs.filter((program) => program !== undefined)) {
    const { status } = spawnSync('node', ['scripts/run.mjs', `test/e2e/${proof}.ts`], {
      stdio: 'inherit',
      cwd: root,
      env: { ...process.env, KUBECTL: kubectl },
    })
    if (status !== 0) failed.push(`${proof} (${kubectl})`)
  }
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
