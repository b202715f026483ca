import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackedPackages } from '../scripts/debianPackages.mjs'

export interface WebTools {
  readonly wrk: string
  readonly nginx: string
  readonly env: NodeJS.ProcessEnv
}

/** Debian's wrk and nginx, not installed; undefined where they cannot be had. */
export function webTools(): WebTools | undefined {
  const programs = ['usr/bin/wrk', 'usr/sbin/nginx'] as const
  const packages = ['wrk', 'libluajit-5.1-2', 'libluajit-5.1-common', 'nginx', 'nginx-common']
  const folder = unpackedPackages('debian-web', packages, programs)
  if (folder === undefined) return undefined
  const libraries = join(folder, 'usr/lib/x86_64-linux-gnu')
  return {
    wrk: join(folder, programs[0]),
    nginx: join(folder, programs[1]),
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
  }
}

export interface Load {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** What one wrk thread gets out of a server with 8 connections. */
export function load(
  { wrk, env }: WebTools,
  url: string,
  headers: readonly string[],
  seconds: number,
  { keepAlive }: { readonly keepAlive: boolean },
): Promise<Load> {
  const all = [...headers, ...(keepAlive ? [] : ['Connection: close'])].flatMap((header) => ['-H', header])
  return new Promise((resolve, reject) => {
    execFile(wrk, ['--latency', '-t1', '-c8', `-d${seconds}s`, ...all, url], { env }, (error, stdout) => {
      if (error) return reject(error)
      const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1]
      if (refused) return reject(new Error(`${url} refused ${refused} requests`))
      resolve({
        requestsPerSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]),
        p50Ms: durationMs(/50% +(\S+)/.exec(stdout)?.[1]),
        p99Ms: durationMs(/99% +(\S+)/.exec(stdout)?.[1]),
      })
    })
  })
}

function durationMs(text = ''): number {
  const [, number = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN)
}

/** nginx with one worker, as our server is one process, and the same certificate; serves files below `files`. */
export async function startNginx(
  { nginx, env }: WebTools,
  directory: string,
  tls: { readonly certificate: string; readonly key: string },
  port: number,
): Promise<{ readonly files: string; stop(): Promise<void> }> {
  const files = join(directory, 'files')
  for (const folder of [files, join(directory, 'logs')]) await mkdir(folder, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join(' ')
  await writeFile(
    join(directory, 'nginx.conf'),
    `worker_processes 1; daemon off; master_process off; pid ${directory}/pid; error_log ${directory}/logs/error;
events { worker_connections 4096; }
http {
  access_log off; ${temporary} keepalive_requests 10000000; sendfile on; open_file_cache max=10;
  server { listen 127.0.0.1:${port} ssl; ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key}; root ${files}; }
}
`,
  )
  const child = spawn(nginx, ['-p', directory, '-c', join(directory, 'nginx.conf')], { env, stdio: 'inherit' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await untilListening(port, child)
  return {
    files,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const connected = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      socket.on('connect', () => socket.destroy())
    })
    if (connected) return
    await sleep(50)
  }
  throw new Error('nginx does not listen after 5 s')
}
