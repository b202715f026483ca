import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { promisify } from 'node:util'
import { unpackedPackages } from '../scripts/debianPackages.mjs'
import { cpuMsOf } from './figures.ts'

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
  /** Processor time of the server. */
  readonly cpuUsPerRequest: number
}

interface LoadedServer {
  readonly url: string
  readonly pid: number
}

/** What one wrk thread gets out of a server with 8 connections. */
export async function load(
  { wrk, env }: WebTools,
  { url, pid }: LoadedServer,
  headers: readonly string[],
  seconds: number,
  { keepAlive }: { readonly keepAlive: boolean },
): Promise<Load> {
  const all = [...headers, ...(keepAlive ? [] : ['Connection: close'])].flatMap((header) => ['-H', header])
  const beforeMs = await cpuMsOf(pid)
  const { stdout } = await promisify(execFile)(wrk, ['--latency', '-t1', '-c8', `-d${seconds}s`, ...all, url], { env })
  const cpuMs = (await cpuMsOf(pid)) - beforeMs
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1]
  if (refused) throw new Error(`${url} refused ${refused} requests`)
  const requests = Number(/(\d+) requests in /.exec(stdout)?.[1])
  return {
    requestsPerSecond: Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]),
    p50Ms: durationMs(/50% +(\S+)/.exec(stdout)?.[1]),
    p99Ms: durationMs(/99% +(\S+)/.exec(stdout)?.[1]),
    cpuUsPerRequest: (cpuMs * 1000) / requests,
  }
}

/** Protocol and cipher suite that a client without wishes gets. */
export function negotiatedSuite(port: number, authority: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ port, host: '127.0.0.1', ca: authority }, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`)
      socket.destroy()
    }).on('error', reject)
  })
}

function durationMs(text = ''): number {
  const [, number = 'NaN', unit = ''] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN)
}

/** nginx with one worker, as our server is one process, and the same certificate and preferences; serves files below `files`. */
export async function startNginx(
  { nginx, env }: WebTools,
  directory: string,
  tls: { readonly certificate: string; readonly key: string },
  port: number,
): Promise<{ readonly files: string; readonly pid: number; stop(): Promise<void> }> {
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
  server {
    listen 127.0.0.1:${port} ssl; ssl_certificate ${tls.certificate}; ssl_certificate_key ${tls.key}; root ${files};
    ssl_protocols TLSv1.2 TLSv1.3; ssl_prefer_server_ciphers on;
    ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256;
  }
}
`,
  )
  const child = spawn(nginx, ['-p', directory, '-c', join(directory, 'nginx.conf')], { env, stdio: 'inherit' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await untilListening(port, child)
  return {
    files,
    pid: child.pid ?? 0,
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
