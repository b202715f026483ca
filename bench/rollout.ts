import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { MachineConfig } from '../src/api/machineConfig.ts'
import { MachineConfigPool } from '../src/api/machineConfigPool.ts'
import { planFleet } from '../src/embedded/fleet.ts'
import { startSingleProcess } from '../src/embedded/singleProcess.ts'
import { systemClock } from '../src/kube/clock.ts'
import { silentLog } from '../src/kube/log.ts'
import { cpuMsSince, flags, report, residentMb } from './figures.ts'

/**
 * One rollout over simulated nodes (API server, controllers, kubelets and daemons in one process), maxUnavailable 10 %:
 * wall time, CPU, memory and API writes per node, for 100 and for 1,000 nodes in processes of their own. The cost per node
 * must not grow with the number of nodes.
 */
interface Figures {
  readonly nodes: number
  readonly wallMs: number
  readonly cpuMsPerNode: number
  readonly writesPerNode: number
  readonly residentMb: number
}

const sizeArgument = process.argv.indexOf('--nodes')
if (sizeArgument > 0) console.log(JSON.stringify(await measure(Number(process.argv[sizeArgument + 1]))))
else compare(flags.quick ? [20, 100] : [100, 1000])

function compare(sizes: readonly number[]): void {
  const results = sizes.map(inOwnProcess)
  const [small, large] = results
  const growth =
    small && large
      ? {
          cpuPerNode: large.cpuMsPerNode / small.cpuMsPerNode,
          writesPerNode: large.writesPerNode / small.writesPerNode,
        }
      : undefined
  report({ results, growth }, () =>
    [
      'nodes   wall s   CPU ms/node   writes/node   resident MB',
      ...results.map(
        ({ nodes, wallMs, cpuMsPerNode, writesPerNode, residentMb: memory }) =>
          `${String(nodes).padStart(5)} ${(wallMs / 1000).toFixed(1).padStart(8)} ${cpuMsPerNode.toFixed(1).padStart(13)} ${writesPerNode.toFixed(1).padStart(13)} ${String(memory).padStart(13)}`,
      ),
      `cost per node, larger to smaller: CPU x${growth?.cpuPerNode.toFixed(2)}, writes x${growth?.writesPerNode.toFixed(2)}`,
    ].join('\n'),
  )
}

function inOwnProcess(nodes: number): Figures {
  const script = process.argv[1] ?? ''
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--enable-source-maps', script, '--nodes', String(nodes)],
    { encoding: 'utf8', maxBuffer: 64 << 20 },
  )
  if (status !== 0) throw new Error(`${nodes} nodes: exit code ${status}\n${stderr}`)
  return JSON.parse(stdout)
}

async function measure(nodes: number): Promise<Figures> {
  const plan = planFleet(new Map([['worker', nodes]]))
  if (plan.kind === 'refused') throw new Error(plan.reason)
  const cluster = await startSingleProcess({
    dataDir: ':memory:',
    port: 0,
    fleet: plan.nodes,
    customPools: [],
    build: { version: 'bench', hash: 'bench' },
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    rebootMs: 200,
    durableNodes: false,
  })
  const { kube } = cluster
  await cluster.updated()
  await kube.patch(MachineConfigPool, { name: 'worker' }, { type: 'merge', body: { spec: { maxUnavailable: '10%' } } })
  const revisionBefore = await revision()
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  await kube.create(MachineConfig, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: '90-worker-bench', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
    spec: {
      config: {
        ignition: { version: '3.5.0' },
        storage: {
          files: [{ path: '/etc/bench.conf', mode: 0o644, overwrite: true, contents: { source: 'data:,bench' } }],
        },
      },
    },
  })
  const old = (await kube.get(MachineConfigPool, { name: 'worker' })).spec.configuration?.name
  await new Promise<void>((resolve) => {
    const unsubscribe = cluster.informers.subscribe(MachineConfigPool, ({ now }) => {
      if (
        now?.metadata.name !== 'worker' ||
        now.status?.configuration?.name === old ||
        now.status?.updatedMachineCount !== nodes
      )
        return
      queueMicrotask(() => unsubscribe())
      resolve()
    })
  })
  const figures = {
    nodes,
    wallMs: Math.round(performance.now() - started),
    cpuMsPerNode: cpuMsSince(cpuBefore) / nodes,
    writesPerNode: ((await revision()) - revisionBefore) / nodes,
    residentMb: residentMb(),
  }
  await cluster.close()
  return figures

  /** The store counts every write: the difference of two revisions is the number of writes between them. */
  async function revision(): Promise<number> {
    return Number((await kube.list(MachineConfigPool)).metadata.resourceVersion)
  }
}
