import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Node } from '../src/api/core.ts'
import { kubeClient } from '../src/kube/client.ts'
import { clusterConnection } from '../src/kube/clusterConnection.ts'
import { httpTransport } from '../src/kube/httpTransport.ts'
import { cpuMsOf, flags, ratioText, report } from './figures.ts'
import { mcoUp } from './mcoUp.ts'

/**
 * One `mco daemon`, a process of its own joined to `mco up`: after it has seen its Node change 2,000 times, what stays
 * resident, and how much CPU it takes while nothing happens.
 */
const touches = flags.quick ? 200 : 2000
const quietMs = flags.quick ? 3000 : 30_000
const targetMb = 64
const targetCpuPercent = 1
const name = 'bench-0'

const mco = await mcoUp(1)
const root = await mkdtemp(join(tmpdir(), 'mco-bench-daemon-'))
const kubeconfig = join(mco.directory, 'kubeconfig')
const kube = kubeClient(httpTransport(await clusterConnection({ env: {}, kubeconfig })), { userAgent: 'bench' })
let daemon: ChildProcess | undefined
try {
  const labels = { 'node-role.kubernetes.io/worker': '' }
  await kube.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } })
  daemon = startDaemon()
  const pid = daemon.pid ?? 0
  await untilDone()
  await settled(pid)
  const startMb = await residentMbOf(pid)
  const before = await cpuMsOf(pid)
  for (let touch = 0; touch < touches; touch += 1)
    await kube.patch(Node, { name }, { type: 'merge', body: { metadata: { annotations: { touched: String(touch) } } } })
  await settled(pid)
  const touchMs = ((await cpuMsOf(pid)) - before) / touches
  const quietBefore = await cpuMsOf(pid)
  await sleep(quietMs)
  const cpuPercent = (((await cpuMsOf(pid)) - quietBefore) / quietMs) * 100
  const residentMb = await residentMbOf(pid)
  report(
    {
      ...{ touches, startMb, residentMb, targetMb, ratioToTarget: residentMb / targetMb },
      ...{ touchMs, cpuPercent, targetCpuPercent, cpuRatioToTarget: cpuPercent / targetCpuPercent },
    },
    () =>
      `idle daemon: ${residentMb} MB resident after ${touches} changes of its Node (${startMb} MB before; ` +
      `${ratioText(residentMb, targetMb, 'MB')}), ${touchMs.toFixed(2)} ms CPU per change\n` +
      `CPU while nothing happens: ${cpuPercent.toFixed(2)} % (${ratioText(cpuPercent, targetCpuPercent, '%')})`,
  )
} finally {
  if (daemon) await stopped(daemon)
  await mco.stop()
  await rm(root, { recursive: true, force: true })
}

function startDaemon(): ChildProcess {
  const args = ['daemon', '--node-name', name, '--kubeconfig', kubeconfig, '--root-mount', root]
  const quiet = ['--kubelet-healthz-endpoint', '', '--metrics-url', '127.0.0.1:0', '--log-level', 'error']
  // As an installed package runs it; a checkout's `bin/mco` looks at the sources first.
  return spawn(process.execPath, ['dist/mco.mjs', ...args, ...quiet], { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
}

async function untilDone(): Promise<void> {
  const limit = performance.now() + 90_000
  while (performance.now() < limit) {
    const { metadata } = await kube.get(Node, { name })
    if (metadata.annotations?.['machineconfiguration.openshift.io/state'] === 'Done') return
    await sleep(200)
  }
  throw new Error(`the daemon of ${name} is not Done after 90 s`)
}

/** Until it has nothing left to do: no CPU for two seconds, apart from a heartbeat. */
async function settled(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const before = await cpuMsOf(pid)
    await sleep(2000)
    if ((await cpuMsOf(pid)) - before <= 40) return
  }
  throw new Error(`the daemon of ${name} does not come to rest`)
}

async function residentMbOf(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}
