import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '../src/api/core.ts'
import { MachineConfig } from '../src/api/machineConfig.ts'
import { kubeClient } from '../src/kube/client.ts'
import { clusterConnection } from '../src/kube/clusterConnection.ts'
import { httpTransport } from '../src/kube/httpTransport.ts'
import { isNotFound } from '../src/kube/kubeApi.ts'
import { freePort } from '../test/join/freePort.ts'
import {
  type Answer,
  fetchConfig,
  joinPlace,
  namespace,
  type ReadSecret,
  serverFolder,
  startServer,
} from '../test/join/joinCluster.ts'
import { flags, percentile, ratioText, report } from './figures.ts'
import { mcoUp } from './mcoUp.ts'
import { type Load, load, negotiatedSuite, startNginx, type WebTools, webTools } from './webServers.ts'

/**
 * The config server beside nginx that serves the same bytes from a file, with connections that stay and with one TLS
 * connection per request; then machines that boot at once, and in a minute's pace.
 */
const sizes = flags.quick ? [200_000] : [200_000, 1_000_000]
/** Each in turn, so that what else the machine does falls on both; the median counts. */
const rounds = flags.quick ? 1 : 5
const seconds = 2
const boots = flags.quick ? 200 : 1000
const pacedMs = flags.quick ? 6_000 : 30_000
const newConnectionTarget = 3
const p99TargetMs = 500
const version = '3.3.0'

const tools = webTools()
const leave: (() => Promise<unknown>)[] = []
const mco = await mcoUp(1)
leave.unshift(mco.stop)
const directory = await mkdtemp(join(tmpdir(), 'mco-bench-server-'))
leave.push(() => rm(directory, { recursive: true, force: true }))
const kubeconfig = join(mco.directory, 'kubeconfig')
const kube = kubeClient(httpTransport(await clusterConnection({ env: {}, kubeconfig })), { userAgent: 'bench' })
const nginxPort = await freePort()
try {
  await measure()
} finally {
  for (const step of leave) await step()
}

async function measure(): Promise<void> {
  const secrets: ReadSecret = async (name, key) =>
    Buffer.from((await kube.get(Secret, { name, namespace })).data?.[key] ?? '', 'base64')
  const folder = await serverFolder(directory, secrets)
  const port = await freePort()
  const server = await startServer(folder, { kubeconfig }, { port, access: 'token', args: ['--rate-limit', '0'] })
  leave.unshift(server.stop)
  const tls = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
  const nginx = tools && (await startNginx(tools, join(directory, 'nginx'), tls, nginxPort))
  if (nginx) leave.unshift(nginx.stop)
  const url = `${server.url}/master`
  const place = { ...(await joinPlace(secrets, 'master')), url }
  const suites = {
    ours: await negotiatedSuite(port, place.authority),
    nginx: nginx && (await negotiatedSuite(nginxPort, place.authority)),
  }
  const transfers: Transfer[] = []
  for (const bytes of sizes) {
    const { body } = await withBodyOf(bytes, () => fetchConfig(place, version))
    if (!tools || !nginx) continue
    await writeFile(join(nginx.files, `${bytes}`), body)
    const nginxUrl = `https://127.0.0.1:${nginxPort}/${bytes}`
    const servers = { ours: { url, pid: server.pid }, nginx: { url: nginxUrl, pid: nginx.pid } }
    transfers.push({ bytes: body.length, results: await sideBySide(tools, servers, place.token) })
  }
  await withBodyOf(200_000, () => fetchConfig(place, version))
  const atOnce = await bootAll(place, 0)
  const paced = await bootAll(place, pacedMs)
  const peakMb = await peakMbOf(server.pid)
  report({ suites, transfers, boots, atOnce, paced, pacedMs, p99TargetMs, peakMb }, () =>
    [
      ...(tools ? [] : ['not compared: wrk and nginx cannot be had from Debian here']),
      `a client without wishes gets ${suites.ours}${suites.nginx ? `, from nginx ${suites.nginx}` : ''}`,
      ...transfers.flatMap(transferLines),
      `${boots} first boots at once: p99 ${atOnce.p99Ms.toFixed(0)} ms; the server's memory was at most ${peakMb} MB`,
      `${boots} first boots in ${pacedMs / 1000} s: p99 ${paced.p99Ms.toFixed(0)} ms (${ratioText(paced.p99Ms, p99TargetMs, 'ms')})`,
    ].join('\n'),
  )
}

type Place = Parameters<typeof fetchConfig>[0]

/** Makes the served body that long, but for digits of versions in it, in a pool that no machine waits for. */
async function withBodyOf(bytes: number, fetch: () => Promise<Answer>): Promise<Answer> {
  const first = await withContentOf(Math.round(bytes * 0.45), fetch)
  // The content is in the body twice: as a file, and in the dump of the MachineConfig.
  const answer = await withContentOf(Math.round(bytes * 0.45 + (bytes - first.body.length) / 2), fetch)
  if (Math.abs(answer.body.length - bytes) <= 16) return answer
  throw new Error(`expected a body of ${bytes} bytes, found ${answer.body.length}`)
}

async function withContentOf(bytes: number, fetch: () => Promise<Answer>): Promise<Answer> {
  const name = '99-master-size'
  const path = `/etc/size-${String(bytes).padStart(7, '0')}`
  const config = {
    ignition: { version: '3.5.0' },
    storage: { files: [{ path, contents: { source: `data:,${'x'.repeat(bytes)}` } }] },
  }
  const labels = { 'machineconfiguration.openshift.io/role': 'master' }
  await kube.delete(MachineConfig, { name }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
  await kube.create(MachineConfig, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name, labels },
    spec: { config },
  })
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch()
    if (answer.status === 200 && answer.body.includes(path)) return answer
    await sleep(100)
  }
  throw new Error(`the served body did not hold ${path} in 30 s`)
}

interface Transfer {
  readonly bytes: number
  readonly results: readonly Comparison[]
}

interface Comparison {
  readonly keepAlive: boolean
  readonly ours: Load
  readonly nginx: Load
  /** Times that nginx is faster. */
  readonly ratio: number
  readonly ratioToTarget: number
}

type Loaded = Readonly<Record<'ours' | 'nginx', Parameters<typeof load>[1]>>

async function sideBySide(tools: WebTools, servers: Loaded, token: string): Promise<readonly Comparison[]> {
  const headers = [`Authorization: Bearer ${token}`, `Accept: application/vnd.coreos.ignition+json;version=${version}`]
  const results: Comparison[] = []
  for (const keepAlive of [true, false]) {
    const [theirs, ours]: [Load[], Load[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      theirs.push(await load(tools, servers.nginx, headers, seconds, { keepAlive }))
      ours.push(await load(tools, servers.ours, headers, seconds, { keepAlive }))
    }
    const [nginx, own] = [medianLoad(theirs), medianLoad(ours)]
    const ratio = nginx.requestsPerSecond / own.requestsPerSecond
    const target = keepAlive ? 1 : newConnectionTarget
    results.push({ keepAlive, ours: own, nginx, ratio, ratioToTarget: ratio / target })
  }
  return results
}

function medianLoad(loads: readonly Load[]): Load {
  const medianOf = (member: keyof Load): number =>
    percentile(
      loads.map((one) => one[member]),
      0.5,
    )
  return {
    requestsPerSecond: medianOf('requestsPerSecond'),
    p50Ms: medianOf('p50Ms'),
    p99Ms: medianOf('p99Ms'),
    cpuUsPerRequest: medianOf('cpuUsPerRequest'),
  }
}

function transferLines({ bytes, results }: Transfer): readonly string[] {
  return results.map(({ keepAlive, ours, nginx, ratio }) => {
    const target = keepAlive ? 1 : newConnectionTarget
    return (
      `${Math.round(bytes / 1000)} KB, ${keepAlive ? 'connections that stay' : 'a connection per request'}: ` +
      `${loadText(ours)}, nginx ${loadText(nginx)}: ` +
      `nginx is ${ratio.toFixed(2)} times as fast (${ratioText(ratio, target, 'times')})`
    )
  })
}

function loadText({ requestsPerSecond, p50Ms, p99Ms, cpuUsPerRequest }: Load): string {
  const milliseconds = `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms`
  return `${requestsPerSecond.toFixed(0)} requests/s (${milliseconds}, CPU ${cpuUsPerRequest.toFixed(0)} µs each)`
}

/** Each boot is a TLS connection of its own; `overMs` spreads their starts evenly. */
async function bootAll(place: Place, overMs: number): Promise<{ readonly p50Ms: number; readonly p99Ms: number }> {
  const times = await Promise.all(
    Array.from({ length: boots }, async (_, index) => {
      await sleep((overMs * index) / boots)
      const started = performance.now()
      const { status } = await fetchConfig(place, version)
      if (status !== 200) throw new Error(`a first boot was answered with ${status}`)
      return performance.now() - started
    }),
  )
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

async function peakMbOf(pid: number): Promise<number> {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
