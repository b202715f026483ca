import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { stringify } from 'yaml'
import { until } from '../e2e/harness.ts'

export interface Prometheus {
  /** The `data` of an answer of its HTTP API. */
  ask<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>
  stop(): Promise<void>
}

/** Debian's Prometheus with our rules, in a directory of its own; it scrapes `target` every second. */
export async function startPrometheus(program: string, target: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'mco-prometheus-'))
  const config = join(folder, 'prometheus.yaml')
  const document = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [resolve('deploy/alerts/machine-config.rules.yaml')],
    scrape_configs: [
      { job_name: 'machine-config-controller', honor_labels: true, static_configs: [{ targets: [target] }] },
    ],
  }
  await writeFile(config, stringify(document))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    program,
    [`--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${address}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const exited = new Promise<void>((done) => child.once('close', () => done()))
  child.once('error', (error) => {
    output += String(error)
  })
  const abandon = (): void => void child.kill('SIGKILL')
  process.once('exit', abandon)

  async function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(query)}`)
    const body = (await answer.json()) as { readonly status: string; readonly data: T; readonly error?: string }
    if (body.status !== 'success') throw new Error(`${path} ${query.query ?? ''}: ${body.error}`)
    return body.data
  }

  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`prometheus ended with code ${child.exitCode}:\n${output}`)
      return (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.status === 200
    },
    'prometheus to be ready',
    30_000,
  )
  return {
    ask,
    async stop() {
      child.kill('SIGTERM')
      await exited
      process.off('exit', abandon)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const address = probe.address()
  await new Promise((done) => probe.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}
