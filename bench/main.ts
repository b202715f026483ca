import { spawnSync } from 'node:child_process'
import process from 'node:process'

/**
 * `npm run bench [-- --json] [-- --quick] [-- NAME ...]`: runs every benchmark in a process of its own, so that memory and
 * warm-up of one do not colour the next. With --json, one object: benchmark name -> its figures.
 */
const benchmarks = [
  'render',
  'saveToRendered',
  'startup',
  'plan',
  'rollout',
  'apiServer',
  'kubeClient',
  'applyFiles',
  'idleDaemon',
  'configServer',
]

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const unknown = names.filter((name) => !benchmarks.includes(name))
if (unknown.length > 0) {
  console.error(`no benchmark named ${unknown.join(', ')}; there are ${benchmarks.join(', ')}`)
  process.exit(2)
}

const results: Record<string, unknown> = {}
for (const name of names.length > 0 ? names : benchmarks) {
  const json = flags.includes('--json')
  if (!json) console.log(`\n== ${name}`)
  const { status, stdout } = spawnSync('node', ['scripts/run.mjs', `bench/${name}.ts`, ...flags], {
    stdio: ['ignore', json ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  if (status !== 0) process.exitCode = 1
  if (json && status === 0) results[name] = JSON.parse(stdout)
}
if (flags.includes('--json')) console.log(JSON.stringify(results, null, 2))
