import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RunningMco {
  readonly directory: string
  /** From the start of the process until every pool is Updated. */
  readonly readyMs: number
  stop(): Promise<void>
}

/** `mco up` in a process of its own, with an empty data directory that goes with it. */
export async function mcoUp(nodes: number): Promise<RunningMco> {
  const directory = await mkdtemp(join(tmpdir(), 'mco-bench-'))
  const started = performance.now()
  const child = spawn('bin/mco', ['up', '--nodes', String(nodes), '--data', directory, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGINT')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const readyMs = await new Promise<number>((resolve, reject) => {
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (/^ready\b/m.test(output)) resolve(performance.now() - started)
      })
      child.once('exit', (code) => reject(new Error(`mco up ended with code ${code} before it was ready`)))
    })
    return { directory, readyMs, stop }
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}
