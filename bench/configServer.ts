import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { createAuthority, issueCertificate } from '../src/certificates/issueCertificate.ts'
import { reservePort } from '../src/embedded/configServer.ts'
import { silentLog } from '../src/kube/log.ts'
import { openGate } from '../src/server/admission.ts'
import type { Bodies } from '../src/server/answerRequest.ts'
import { startConfigService } from '../src/server/configService.ts'
import { readyBody } from '../src/server/readyBody.ts'
import { serverMetricsPage } from '../src/server/serverMetrics.ts'
import { certificateHolder } from '../src/server/servingCertificate.ts'
import { tlsSettings } from '../src/server/tlsSettings.ts'
import { flags, report, residentMb } from './figures.ts'

/**
 * The config server beside nginx with the same bytes as a static file, both one process, asked by `wrk` over TLS: kept
 * connections, and one per request. Needs Debian's `wrk` and `nginx-light`.
 */
const run = promisify(execFile)
const sizes = { '200 KB': 200_000, '1 MB': 1_000_000 }
const seconds = flags.quick ? 1 : 5
const clients = 8

const programs = { load: 'wrk', rival: 'nginx' }
for (const program of Object.values(programs)) {
  if (spawnSync('which', [program]).status !== 0) {
    console.error(`${program} is missing: install the Debian packages wrk and nginx-light`)
    process.exit(3)
  }
}

const directory = mkdtempSync(join(tmpdir(), 'mco-bench-'))
// The workers of nginx run as another user.
chmodSync(directory, 0o755)
const now = new Date()
const authority = await createAuthority('bench', now)
const names = { commonName: 'localhost', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] }
const pair = await issueCertificate(authority, { kind: 'server', ...names }, now)
const bodies = new Map(Object.values(sizes).map((size) => [String(size), readyBody('c', 'x'.repeat(size), [])]))
const found = (pool: string) => bodies.get(pool) ?? readyBody('c', '', [])
const source: Bodies = { find: found }
const tls = tlsSettings({})
if (tls.kind === 'invalid') throw new Error(tls.message)
const service = await startConfigService({
  listen: [{ kind: 'tls', host: '127.0.0.1', port: 0, certificate: certificateHolder(pair), settings: tls.settings }],
  bodies: source,
  gate: openGate,
  now: () => new Date(),
  isReady: () => true,
  allowsOpenSecrets: false,
  limits: { requestsPerSecond: 0 },
  metrics: serverMetricsPage(),
  log: silentLog,
})
const nginxPort = await reservePort(0)
startNginx(nginxPort)

const figures: Record<string, Figure> = {}
try {
  for (const [name, size] of Object.entries(sizes)) {
    for (const connections of ['kept', 'new'] as const) {
      const ours = await measure(`${service.urls[0]}/config/${size}`, connections)
      const nginx = await measure(`https://127.0.0.1:${nginxPort}/${size}`, connections)
      figures[`${name}, ${connections} connections`] = { ours, nginx, ratio: ours.perSecond / nginx.perSecond }
    }
  }
} finally {
  process.kill(Number(readFileSync(join(directory, 'nginx.pid'), 'utf8')))
  await service.close()
  rmSync(directory, { recursive: true })
}
report({ clients, residentMb: residentMb(), figures }, () =>
  Object.entries(figures)
    .map(([name, { ours, nginx, ratio }]) => `${name}: ${text(ours)}; nginx ${text(nginx)}; ratio ${ratio.toFixed(2)}`)
    .join('\n'),
)

interface Figure {
  readonly ours: Measured
  readonly nginx: Measured
  /** Above 1 ours is faster. */
  readonly ratio: number
}

interface Measured {
  readonly perSecond: number
  readonly p50: string
  readonly p99: string
}

function text({ perSecond, p50, p99 }: Measured): string {
  return `${Math.round(perSecond)}/s, p50 ${p50}, p99 ${p99}`
}

async function measure(url: string, connections: 'kept' | 'new'): Promise<Measured> {
  const close = connections === 'new' ? ['-H', 'Connection: close'] : []
  const { stdout } = await run(programs.load, ['-t1', `-c${clients}`, `-d${seconds}s`, '--latency', ...close, url])
  if (/Non-2xx/.test(stdout)) throw new Error(`wrk got no config from ${url}:\n${stdout}`)
  const [, perSecond = 'NaN'] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p50 = ''] = /50%\s+(\S+)/.exec(stdout) ?? []
  const [, p99 = ''] = /99%\s+(\S+)/.exec(stdout) ?? []
  return { perSecond: Number(perSecond), p50, p99 }
}

function startNginx(port: number): void {
  for (const size of Object.values(sizes)) writeFileSync(join(directory, String(size)), found(String(size)).body)
  writeFileSync(join(directory, 'tls.crt'), pair.certificatePem)
  writeFileSync(join(directory, 'tls.key'), pair.keyPem)
  const config = `worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
events { worker_connections 4096; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; server {
  listen 127.0.0.1:${port} ssl; ssl_certificate ${directory}/tls.crt; ssl_certificate_key ${directory}/tls.key;
  ssl_protocols TLSv1.2 TLSv1.3; root ${directory}; } }`
  writeFileSync(join(directory, 'nginx.conf'), config)
  const { status, stderr } = spawnSync(programs.rival, ['-c', join(directory, 'nginx.conf')], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`nginx did not start: ${stderr}`)
}
