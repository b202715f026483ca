import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Command, InvalidArgumentError, Option } from 'commander'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { poolName } from '../api/names.ts'
import { countsOfNames, defaultCounts, type FleetNode, type FleetPlan, planFleet } from '../embedded/fleet.ts'
import { type Scenario, scenarios } from '../embedded/scenarios.ts'
import type { SingleProcessCluster } from '../embedded/singleProcess.ts'
import { systemClock } from '../kube/clock.ts'
import { wholeNumber } from './argumentParsers.ts'
import { earlierMachines, requireAll } from './earlierMachines.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type LogLevel, openLog } from './log.ts'
import { startFailure } from './startFailure.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

interface UpFlags {
  readonly nodes?: number
  readonly pools?: ReadonlyMap<string, number>
  readonly data: string
  readonly port: number
  readonly serverPort: number
  readonly metricsPort: number
  readonly scenario?: string
  readonly rebootSeconds: number
  readonly logLevel: LogLevel
}

/** `mco up`: a complete cluster in this process, until Ctrl-C. */
export function upCommand(terminal: Terminal): Command {
  return new Command('up')
    .description(
      'run a complete cluster in one process: API server, controllers, scheduler, node daemons on directories',
    )
    .option(
      '--nodes <count>',
      `machines: three control-plane nodes (one for fewer than four machines), the rest workers (default: those that the data directory has, else ${defaultNodes})`,
      wholeNumber(1, 10_000),
    )
    .option(
      '--pools <name=count,...>',
      'machines per pool instead; names other than master and worker are custom pools',
      poolCounts,
    )
    .option('--data <directory>', 'where everything is kept, or :memory:', '.mco')
    .option('--port <number>', 'port of the API server; 0 picks a free one', wholeNumber(0, 65_535), 6443)
    .option('--server-port <number>', 'port of the config server; 0 picks a free one', wholeNumber(0, 65_535), 0)
    .option(
      '--metrics-port <number>',
      'port of the controllers’ metrics; 0 picks a free one',
      wholeNumber(0, 65_535),
      0,
    )
    .addOption(new Option('--scenario <name>', 'a prepared situation').choices([...scenarios.keys()]))
    .option('--reboot-seconds <seconds>', 'how long a simulated machine takes to boot', decimal, 0.5)
    .addOption(
      new Option('--log-level <level>', 'what goes to DIR/mco.log')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  mco up\n  mco up --pools master=3,worker=6,infra=2 --data /tmp/cluster --port 0\n  mco up --scenario pdb-deadlock --data :memory:',
    )
    .action(async (flags: UpFlags) => {
      const scenario = flags.scenario === undefined ? undefined : scenarios.get(flags.scenario)
      const earlier = flags.data === ':memory:' ? [] : await earlierMachines(flags.data).catch(failedStart(flags))
      const fleet = planned(scenario?.fleet ?? planFleet(countsFor(flags, earlier)))
      requireAll(earlier, fleet, flags.data)
      await runUntilStopped(terminal, flags, fleet, scenario)
    })
}

const failedStart =
  ({ port, serverPort, metricsPort, data }: UpFlags) =>
  (error: unknown): never => {
    throw startFailure(error, { port, serverPort, metricsPort, data })
  }

const defaultNodes = 5

/** What the user asks for, else the machines that are there, else the default. */
function countsFor({ pools, nodes }: UpFlags, earlier: readonly string[]): ReadonlyMap<string, number> {
  if (pools) return pools
  if (nodes === undefined && earlier.length > 0) return countsOfNames(earlier)
  return defaultCounts(nodes ?? defaultNodes)
}

async function runUntilStopped(
  terminal: Terminal,
  flags: UpFlags,
  fleet: readonly FleetNode[],
  scenario: Scenario | undefined,
): Promise<void> {
  const started = Date.now()
  const inMemory = flags.data === ':memory:'
  const dataDir = inMemory ? flags.data : resolve(flags.data)
  if (!inMemory) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(failedStart(flags))
  }
  const stopped = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })
  // Loaded only here: the embedded cluster is most of the program, and a daemon must stay small.
  const { startSingleProcess } = await import('../embedded/singleProcess.ts')
  const cluster = await startSingleProcess({
    dataDir,
    port: flags.port,
    configServer: { port: flags.serverPort },
    metrics: { port: flags.metricsPort },
    fleet,
    customPools: customPoolsOf(fleet),
    build: { version, hash: createHash('sha1').update(version).digest('hex') },
    clock: systemClock,
    random: Math.random,
    log: openLog(inMemory ? { level: 'warn' } : { level: flags.logLevel, file: join(dataDir, 'mco.log') }),
    rebootMs: flags.rebootSeconds * 1000,
    ...(scenario ? { prepare: (kube) => scenario.prepare(kube) } : {}),
  }).catch(failedStart(flags))
  const kubeconfig = cluster.kubeconfigPath
  terminal.out(`api         ${cluster.url}`)
  terminal.out(`kubeconfig  ${kubeconfig}`)
  if (cluster.configUrl) terminal.out(`configs     ${cluster.configUrl}/POOL`)
  if (cluster.metricsUrl) terminal.out(`metrics     ${cluster.metricsUrl}`)
  terminal.out(`nodes       ${join(cluster.nodesDir, 'NAME', 'root')} (${fleet.length} machines)`)
  const ready = new AbortController()
  const progress = showProgress(terminal, cluster, ready.signal)
  const outcome = await Promise.race([
    cluster.updated(ready.signal).then(() => 'updated' as const),
    stopped.then(() => 'stopped' as const),
  ])
  ready.abort()
  await progress
  if (outcome === 'updated') {
    const seconds = ((Date.now() - started) / 1000).toFixed(1)
    terminal.out(`ready  ${cluster.url}  kubeconfig ${kubeconfig}  all pools Updated after ${seconds} s`)
    terminal.out(
      `\nTry, in another terminal:\n  export KUBECONFIG=${kubeconfig}\n  kubectl apply -f examples/chrony.yaml\n  bin/mco status --watch\nCtrl-C stops the cluster; ${inMemory ? 'nothing is kept' : `what it holds stays in ${dataDir}`}.`,
    )
    await stopped
  }
  await cluster.close()
}

/** One line per change of the pools' counts, until everything is updated. */
async function showProgress(
  terminal: Terminal,
  { informers }: SingleProcessCluster,
  signal: AbortSignal,
): Promise<void> {
  let shown = ''
  const pools = new Map<string, MachineConfigPool>()
  const unsubscribe = informers.subscribe(MachineConfigPool, ({ old, now }) => {
    if (now) pools.set(now.metadata.name ?? '', now)
    else pools.delete(old?.metadata.name ?? '')
    const line = [...pools]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { status }]) => `${name} ${status?.updatedMachineCount ?? 0}/${status?.machineCount ?? 0}`)
      .join('  ')
    if (line !== shown && terminal.isTty) terminal.err(terminal.paint('dim', `updated     ${line}`))
    shown = line
  })
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
  unsubscribe()
}

function planned(plan: FleetPlan): readonly FleetNode[] {
  if (plan.kind === 'planned') return plan.nodes
  throw new CliError(plan.reason, exitCodes.usage)
}

function customPoolsOf(fleet: readonly FleetNode[]): readonly string[] {
  const builtIn: ReadonlySet<string> = new Set([poolName.master, poolName.worker])
  return [...new Set(fleet.map(({ pool }) => pool))].filter((pool) => !builtIn.has(pool))
}

function decimal(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new InvalidArgumentError('expected a number of seconds, 0 or more')
}

function poolCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const part of text.split(',')) {
    const [, name, count] = /^([^=]+)=(\d+)$/.exec(part.trim()) ?? []
    if (name === undefined || count === undefined)
      throw new InvalidArgumentError(`expected name=count, found "${part}"`)
    counts.set(name, Number(count))
  }
  return counts
}
