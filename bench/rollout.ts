import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { MachineConfig } from '../src/api/machineConfig.ts'
import { MachineConfigPool } from '../src/api/machineConfigPool.ts'
import { planFleet } from '../src/embedded/fleet.ts'
import { startSingleProcess } from '../src/embedded/singleProcess.ts'
import { systemClock } from '../src/kube/clock.ts'
import { silentLog } from '../src/kube/log.ts'
import { cpuMsSince, flags, ratioText, report, residentMb } from './figures.ts'

/**
 * One rollout over simulated nodes, maxUnavailable 10 %: wall time, CPU, memory and API writes per node, for 100 and for
 * 1,000 nodes in processes of their own. The cost per node must not grow with the number of nodes. CPU and memory are
 * those of everything: API server, controllers, and a kubelet and a daemon with a disk of its own for each node.
 */
interface Figures {
  readonly nodes: number
  readonly wallMs: number
  readonly cpuMsPerNode: number
  readonly writesPerNode: number
  readonly writesPerNodeOf: Readonly<Record<string, number>>
  readonly residentMb: number
}

/** At most this much more for one node of the large fleet: less is noise between two runs. */
const targetGrowth = 1.2

function compare(sizes: readonly number[]): void {
  const results = sizes.map(inOwnProcess)
  const [small, large] = results
  const growth = small && large ? growthOf(small, large) : undefined
  report({ results, growth, targetGrowth, ...(growth && { ratioToTarget: growth.cpuPerNode / targetGrowth }) }, () =>
    [
      'nodes   wall s   CPU ms/node   writes/node   resident MB',
      ...results.map(row),
      ...(large ? [`writes/node at ${large.nodes} nodes: ${writesText(large)}`] : []),
      ...(growth
        ? [
            `one node of the larger fleet against one of the smaller: CPU x${growth.cpuPerNode.toFixed(2)} (${ratioText(growth.cpuPerNode, targetGrowth, 'times')}), writes x${growth.writesPerNode.toFixed(2)}`,
          ]
        : []),
    ].join('\n'),
  )
}

const growthOf = (small: Figures, large: Figures) => ({
  cpuPerNode: large.cpuMsPerNode / small.cpuMsPerNode,
  writesPerNode: large.writesPerNode / small.writesPerNode,
})

function row({ nodes, wallMs, cpuMsPerNode, writesPerNode, residentMb: memory }: Figures): string {
  const cells = [(wallMs / 1000).toFixed(1), cpuMsPerNode.toFixed(1), writesPerNode.toFixed(1), String(memory)]
  const widths = [8, 13, 13, 13]
  return [String(nodes).padStart(5), ...cells.map((cell, index) => cell.padStart(widths[index] ?? 0))].join(' ')
}

const writesText = ({ writesPerNodeOf }: Figures): string =>
  Object.entries(writesPerNodeOf)
    .map(([kind, writes]) => `${kind} ${writes.toFixed(1)}`)
    .join(', ')

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
  const writes = new Map<string, number>()
  cluster.server.context.database.listen(({ entry: { path } }) => {
    const kind = path.collection.slice(path.collection.lastIndexOf('/') + 1)
    writes.set(kind, (writes.get(kind) ?? 0) + 1)
  })
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
    writesPerNode: [...writes.values()].reduce((sum, count) => sum + count, 0) / nodes,
    writesPerNodeOf: Object.fromEntries(
      [...writes].sort(([, a], [, b]) => b - a).map(([kind, count]) => [kind, count / nodes]),
    ),
    residentMb: residentMb(),
  }
  await cluster.close()
  return figures
}

// Last, so that everything above is initialised.
const sizeArgument = process.argv.indexOf('--nodes')
if (sizeArgument > 0) console.log(JSON.stringify(await measure(Number(process.argv[sizeArgument + 1]))))
else compare(flags.quick ? [20, 100] : [100, 1000])
