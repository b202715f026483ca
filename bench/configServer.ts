import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '../src/api/core.ts'
import { MachineConfig } from '../src/api/machineConfig.ts'
import { kubeClient } from '../src/kube/client.ts'
import { clusterConnection } from '../src/kube/clusterConnection.ts'
import { httpTransport } from '../src/kube/httpTransport.ts'
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
import { load, startNginx, webTools } from './webServers.ts'

/**
 * The config server beside nginx that serves the same bytes from a file, with connections that stay and with one TLS
 * connection per request; then machines that boot at once, and in a minute's pace.
 */
const sizes = flags.quick ? [200] : [200, 1000]
const seconds = flags.quick ? 2 : 6
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
  const transfers: ({ readonly bytes: number } & Awaited<ReturnType<typeof sideBySide>>)[] = []
  for (const kilobytes of sizes) {
    const { body } = await withBodyOf(kilobytes * 1000, () => fetchConfig(place, version))
    if (nginx) await writeFile(join(nginx.files, `${body.length}`), body)
    transfers.push({ bytes: body.length, ...(await sideBySide(place, body.length)) })
  }
  await withBodyOf(200_000, () => fetchConfig(place, version))
  const atOnce = await bootAll(place, 0)
  const paced = await bootAll(place, pacedMs)
  const peakMb = await peakMbOf(server.pid)
  report({ transfers, boots, atOnce, paced, pacedMs, p99TargetMs, peakMb }, () =>
    [
      ...(tools ? [] : ['not compared: wrk and nginx cannot be had from Debian here']),
      ...transfers.flatMap(transferLines),
      `${boots} first boots at once: p99 ${atOnce.p99Ms.toFixed(0)} ms; the server's memory was at most ${peakMb} MB`,
      `${boots} first boots in ${pacedMs / 1000} s: p99 ${paced.p99Ms.toFixed(0)} ms (${ratioText(paced.p99Ms, p99TargetMs, 'ms')})`,
    ].join('\n'),
  )
}

type Place = Parameters<typeof fetchConfig>[0]

/** Makes the served body about as long as that, in a pool that no machine waits for. */
async function withBodyOf(bytes: number, fetch: () => Promise<Answer>): Promise<Answer> {
  const name = '99-master-size'
  // The content is in the body twice, once escaped.
  const content = Buffer.alloc(Math.round(bytes * 0.3), 'x').toString('base64')
  const config = {
    ignition: { version: '3.5.0' },
    storage: { files: [{ path: '/etc/size', contents: { source: `data:;base64,${content}` } }] },
  }
  const labels = { 'machineconfiguration.openshift.io/role': 'master' }
  await kube.delete(MachineConfig, { name }).catch((error: unknown) => {
    if (!String(error).includes('not found')) throw error
  })
  await kube.create(MachineConfig, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name, labels },
    spec: { config },
  })
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch()
    if (answer.status === 200 && Math.abs(answer.body.length / bytes - 1) < 0.25) return answer
    await sleep(100)
  }
  throw new Error(`the served body did not come near ${bytes} bytes in 30 s`)
}

async function sideBySide({ url, token }: Place, bytes: number) {
  if (!tools) return {}
  const headers = [`Authorization: Bearer ${token}`, `Accept: application/vnd.coreos.ignition+json;version=${version}`]
  const nginxUrl = `https://127.0.0.1:${nginxPort}/${bytes}`
  const results = []
  for (const keepAlive of [true, false]) {
    const theirs = await load(tools, nginxUrl, headers, seconds, { keepAlive })
    const ours = await load(tools, url, headers, seconds, { keepAlive })
    const ratio = theirs.requestsPerSecond / ours.requestsPerSecond
    results.push({
      keepAlive,
      ours,
      nginx: theirs,
      ratio,
      ratioToTarget: ratio / (keepAlive ? 1 : newConnectionTarget),
    })
  }
  return { results }
}

function transferLines({ bytes, results = [] }: { bytes: number } & Awaited<ReturnType<typeof sideBySide>>): string[] {
  return results.map(({ keepAlive, ours, nginx: theirs, ratio }) => {
    const target = keepAlive ? 1 : newConnectionTarget
    return (
      `${Math.round(bytes / 1000)} KB, ${keepAlive ? 'connections that stay' : 'a connection per request'}: ` +
      `${ours.requestsPerSecond.toFixed(0)} requests/s (p50 ${ours.p50Ms.toFixed(1)}, p99 ${ours.p99Ms.toFixed(1)} ms), ` +
      `nginx ${theirs.requestsPerSecond.toFixed(0)} (p50 ${theirs.p50Ms.toFixed(1)}, p99 ${theirs.p99Ms.toFixed(1)} ms): ` +
      `nginx is ${ratio.toFixed(2)} times as fast (${ratioText(ratio, target, 'times')})`
    )
  })
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
