// Runs a TypeScript file: bundles it with esbuild (a few milliseconds) and starts it, with the arguments that follow.
// Usage: node scripts/run.mjs FILE.ts [ARG ...]
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { build } from 'esbuild'

const [entry, ...args] = process.argv.slice(2)
if (!entry) {
  console.error('usage: node scripts/run.mjs FILE.ts [ARG ...]')
  process.exit(2)
}
const outdir = join('node_modules', '.cache', 'mco')
mkdirSync(outdir, { recursive: true })
const outfile = join(outdir, `${basename(entry, '.ts')}-${process.pid}.mjs`)
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
})
const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...args], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', async (code, signal) => {
  const { rm } = await import('node:fs/promises')
  await rm(outfile, { force: true })
  process.exitCode = code ?? (signal ? 1 : 0)
})
