import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { MachineConfig } from '../src/api/machineConfig.ts'
import { MachineConfigPool } from '../src/api/machineConfigPool.ts'
import { planFleet } from '../src/embedded/fleet.ts'
import { startSingleProcess } from '../src/embedded/singleProcess.ts'
import { systemClock } from '../src/kube/clock.ts'
import { silentLog } from '../src/kube/log.ts'
import { forkControllers, serveControllers } from './controllers.ts'
import { cpuMsSince, flags, ratioText, report, residentMb } from './figures.ts'

/**
 * One rollout over simulated nodes, maxUnavailable 10 %: wall time, CPU, memory and API writes per node, for 100 and for
 * 1,000 nodes in processes of their own. The cost per node must not grow with the number of nodes. The controllers run
 * alone in a process and speak HTTPS; the rest is the API server, and a kubelet and a daemon with a disk for each node.
 */
interface Figures {
  readonly nodes: number
  readonly wallMs: number
  readonly controllerCpuMsPerNode: number
  readonly controllerResidentMb: number
  /** Of everything but the controllers. */
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
  report(
    { results, growth, targetGrowth, ...(growth && { ratioToTarget: growth.controllerCpuPerNode / targetGrowth }) },
    () =>
      [
        'nodes   wall s  controller CPU ms/node, MB   rest CPU ms/node, MB   writes/node',
        ...results.map(row),
        ...(large ? [`writes/node at ${large.nodes} nodes: ${writesText(large)}`] : []),
        ...(growth
          ? [
              `one node of the larger fleet against one of the smaller: controller CPU x${growth.controllerCpuPerNode.toFixed(2)} (${ratioText(growth.controllerCpuPerNode, targetGrowth, 'times')}), rest CPU x${growth.cpuPerNode.toFixed(2)}, writes x${growth.writesPerNode.toFixed(2)}`,
            ]
          : []),
      ].join('\n'),
  )
}

const growthOf = (small: Figures, large: Figures) => ({
  controllerCpuPerNode: large.controllerCpuMsPerNode / small.controllerCpuMsPerNode,
  cpuPerNode: large.cpuMsPerNode / small.cpuMsPerNode,
  writesPerNode: large.writesPerNode / small.writesPerNode,
})

function row(figures: Figures): string {
  const cells = [
    (figures.wallMs / 1000).toFixed(1),
    `${figures.controllerCpuMsPerNode.toFixed(1)}, ${figures.controllerResidentMb}`,
    `${figures.cpuMsPerNode.toFixed(1)}, ${figures.residentMb}`,
    figures.writesPerNode.toFixed(1),
  ]
  const widths = [8, 28, 23, 14]
  return [String(figures.nodes).padStart(5), ...cells.map((cell, index) => cell.padStart(widths[index] ?? 0))].join('')
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

const build = { version: 'bench', hash: 'bench' }

async function measure(nodes: number): Promise<Figures> {
  const plan = planFleet(new Map([['worker', nodes]]))
  if (plan.kind === 'refused') throw new Error(plan.reason)
  const cluster = await startSingleProcess({
    dataDir: ':memory:',
    port: 0,
    fleet: plan.nodes,
    customPools: [],
    build,
    controllers: 'elsewhere',
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    rebootMs: 200,
    durableNodes: false,
  })
  const { kube } = cluster
  const controllers = forkControllers(process.argv[1] ?? '', cluster.kubeconfigPath)
  await cluster.updated()
  await kube.patch(MachineConfigPool, { name: 'worker' }, { type: 'merge', body: { spec: { maxUnavailable: '10%' } } })
  const writes = new Map<string, number>()
  cluster.server.context.database.listen(({ entry: { path } }) => {
    const kind = path.collection.slice(path.collection.lastIndexOf('/') + 1)
    writes.set(kind, (writes.get(kind) ?? 0) + 1)
  })
  const controllersBefore = await controllers.usage()
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
  const controllersAfter = await controllers.usage()
  const figures = {
    nodes,
    wallMs: Math.round(performance.now() - started),
    controllerCpuMsPerNode: (controllersAfter.cpuMs - controllersBefore.cpuMs) / nodes,
    controllerResidentMb: controllersAfter.residentMb,
    cpuMsPerNode: cpuMsSince(cpuBefore) / nodes,
    writesPerNode: [...writes.values()].reduce((sum, count) => sum + count, 0) / nodes,
    writesPerNodeOf: Object.fromEntries(
      [...writes].sort(([, a], [, b]) => b - a).map(([kind, count]) => [kind, count / nodes]),
    ),
    residentMb: residentMb(),
  }
  controllers.stop()
  await cluster.close()
  return figures
}

// Last, so that everything above is initialised.
const sizeArgument = process.argv.indexOf('--nodes')
const controllersArgument = process.argv.indexOf('--controllers')
if (controllersArgument > 0) await serveControllers(process.argv[controllersArgument + 1] ?? '', build)
else if (sizeArgument > 0) console.log(JSON.stringify(await measure(Number(process.argv[sizeArgument + 1]))))
else compare(flags.quick ? [20, 100] : [100, 1000])
