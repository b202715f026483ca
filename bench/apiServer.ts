import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { administrator } from '../src/embedded/server/apiRequest.ts'
import { type RunningApiServer, startApiServer } from '../src/embedded/server/start.ts'
import { flags, report, residentMb } from './figures.ts'

/**
 * Times the embedded API server: `node scripts/run.mjs bench/apiServer.ts [--json] [--quick]`. Writes are durable
 * (lmdb, one synced commit per batch); load generator and server share one process, so that rows compare, not absolutes.
 */
const configMaps = '/api/v1/namespaces/default/configmaps'
const scale = flags.quick ? 0.1 : 1
const many = (count: number) => Math.max(10, Math.round(count * scale))

interface Row {
  readonly what: string
  readonly count: number
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
}

const directory = mkdtempSync(join(tmpdir(), 'mco-bench-'))
const server = await startApiServer({ dataDir: directory })
const rows: Row[] = []
let patches = 0
try {
  rows.push(await timed('create in process, one at a time', many(1000), 1, (index) => create('serial', index)))
  rows.push(await timed('create in process, 64 at once', many(10_000), 64, (index) => create('parallel', index)))
  rows.push(
    await timed('get in process', many(50_000), 16, (index) =>
      call('GET', `${configMaps}/parallel-${index % many(10_000)}`),
    ),
  )
  rows.push(await timed('merge patch in process, 64 at once', many(10_000), 64, patch))
  rows.push(await timed('list of all objects', many(100), 1, () => call('GET', configMaps)))
  rows.push(
    await timed('list by label of all objects', many(100), 1, () =>
      call('GET', `${configMaps}?labelSelector=shard%3D3`),
    ),
  )
  rows.push(await overHttps('get over HTTPS, 16 connections', many(20_000), 16))
  rows.push(await fanOut('watch fan-out, 1000 watches of one kind', 1000, many(200), () => `${configMaps}?watch=1`))
  rows.push(
    await fanOut(
      'watch fan-out, 1000 watches of one object each',
      1000,
      many(5000),
      (index) => `${configMaps}?watch=1&fieldSelector=metadata.name%3Dparallel-${index}`,
    ),
  )
} finally {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
}
const memoryMb = residentMb()
report({ rows, memoryMb }, table)

async function timed(
  what: string,
  count: number,
  atOnce: number,
  run: (index: number) => Promise<unknown>,
): Promise<Row> {
  const times: number[] = []
  let next = 0
  const start = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const index = next
        next += 1
        const begun = performance.now()
        await run(index)
        times.push(performance.now() - begun)
      }
    }),
  )
  const seconds = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => round(times[Math.floor(times.length * share)] ?? 0, 2)
  return { what, count, perSecond: round(count / seconds), p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** About 4 KB, the size of a small MachineConfig. */
function create(prefix: string, index: number): Promise<Uint8Array> {
  const metadata = { name: `${prefix}-${index}`, labels: { shard: String(index % 10) } }
  return call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: 'x'.repeat(3600) } })
}

function patch(index: number): Promise<Uint8Array> {
  patches += 1
  return call(
    'PATCH',
    `${configMaps}/parallel-${index % many(10_000)}`,
    { data: { changed: String(patches) } },
    'application/merge-patch+json',
  )
}

async function call(method: string, url: string, body?: unknown, type = 'application/json'): Promise<Uint8Array> {
  const response = await server.handle({
    method,
    url,
    headers: { 'content-type': type, 'user-agent': 'bench' },
    identity: administrator,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.status >= 300 || !(response.body instanceof Uint8Array))
    throw new Error(`${method} ${url} answered ${response.status}`)
  return response.body
}

async function overHttps(what: string, count: number, connections: number): Promise<Row> {
  const { certificatePem, keyPem } = await server.issueClientCertificate('kubernetes-admin', ['system:masters'])
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    ca: server.caPem,
    cert: certificatePem,
    key: keyPem,
  })
  const row = await timed(what, count, connections, (index) =>
    httpsGet(server, agent, `${configMaps}/parallel-${index % many(10_000)}`),
  )
  agent.destroy()
  return row
}

function httpsGet({ url }: RunningApiServer, agent: Agent, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent }, (response) => {
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`GET ${path} answered ${response.statusCode}`)),
      )
      response.resume()
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Events delivered per second: `writes` patches in the first objects, each seen by the watches that it concerns. */
async function fanOut(what: string, watches: number, writes: number, urlOf: (index: number) => string): Promise<Row> {
  const stops = Array.from({ length: watches }, () => new AbortController())
  let received = 0
  const version = server.context.database.revision
  const readers = await Promise.all(
    stops.map(async ({ signal }, index) => {
      const url = `${urlOf(index)}&resourceVersion=${version}`
      const response = await server.handle({ method: 'GET', url, headers: {}, signal })
      if (response.body instanceof Uint8Array) throw new Error(`GET ${url} is no watch`)
      return response.body
    }),
  )
  const done = readers.map(async (stream) => {
    for await (const chunk of stream) received += linesIn(chunk)
  })
  const start = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < writes) {
        next += 1
        await patch((next * 7919) % 1000)
      }
    }),
  )
  await new Promise(setImmediate)
  const seconds = (performance.now() - start) / 1000
  for (const stop of stops) stop.abort()
  await Promise.all(done)
  return { what, count: received, perSecond: round(received / seconds) }
}

function linesIn(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}

function round(value: number, digits = 0): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

function table(): string {
  const width = Math.max(...rows.map(({ what }) => what.length))
  const line = (what: string, ...cells: readonly (string | number | undefined)[]) =>
    `${what.padEnd(width)}${cells.map((cell) => String(cell ?? '').padStart(11)).join('')}`
  return [
    line('what', 'count', 'per second', 'p50 ms', 'p99 ms'),
    ...rows.map(({ what, count, perSecond, p50Ms, p99Ms }) => line(what, count, perSecond, p50Ms, p99Ms)),
    `memory at the end: ${memoryMb} MB resident`,
  ].join('\n')
}
