import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flags, report } from './figures.ts'

/** `mco up` from a cold start, an empty data directory and 5 nodes, until all pools are Updated: the whole process. */
const targetMs = 5000
const runs: number[] = []
for (let run = 0; run < (flags.quick ? 1 : 5); run += 1) runs.push(await coldStart())
runs.sort((a, b) => a - b)
const medianMs = runs[Math.floor(runs.length / 2)] ?? 0
report(
  { nodes: 5, runsMs: runs, medianMs, targetMs, ratioToTarget: medianMs / targetMs },
  () =>
    `mco up, 5 nodes, cold start to all pools Updated: median ${medianMs} ms of ${runs.length} (target ${targetMs} ms, ratio ${(medianMs / targetMs).toFixed(2)})`,
)

async function coldStart(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'mco-bench-'))
  const started = performance.now()
  const child = spawn('bin/mco', ['up', '--nodes', '5', '--data', directory, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const elapsedMs = await new Promise<number>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (/^ready\b/m.test(output)) resolve(performance.now() - started)
    })
    child.once('exit', (code) => reject(new Error(`mco up ended with code ${code} before it was ready`)))
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await exited
  await rm(directory, { recursive: true, force: true })
  return Math.round(elapsedMs)
}
