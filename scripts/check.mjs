// `npm run check`: what must hold for every commit. Each step prints its own findings; the first failing step ends it.
import process from 'node:process'
import { prepare, run } from './prepare.mjs'

prepare()
const steps = [
  ['types', 'npx', ['tsc', '-p', '.']],
  ['generated files', 'node', ['scripts/run.mjs', 'scripts/generate-types.ts', '--check']],
  ['lint and format', 'npx', ['biome', 'check', '--error-on-warnings']],
  ['layers', 'npx', ['depcruise', '--config', '.dependency-cruiser.mjs', 'src']],
  ['unused code', 'npx', ['knip']],
  ['unit tests', 'npx', ['vitest', 'run', '--silent=passed-only']],
  ['golden cases', 'node', ['scripts/run.mjs', 'test/golden/runner.ts']],
]
for (const [name, command, args] of steps) {
  const started = Date.now()
  console.log(`\n== ${name}`)
  run(command, args)
  console.log(`== ${name}: ok, ${((Date.now() - started) / 1000).toFixed(1)} s`)
}
process.exitCode = 0
