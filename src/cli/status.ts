import process from 'node:process'
import { Command } from 'commander'
import { ConfigMap, Node } from '../api/core.ts'
import type { Kind } from '../api/kind.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { operatorNamespace, serverObject } from '../api/names.ts'
import { type ClusterStatus, clusterStatus } from '../forecast/clusterStatus.ts'
import { readJoins } from '../forecast/joinRecords.ts'
import type { NodeStatusLine } from '../forecast/nodeStatusLine.ts'
import type { PoolStatusLine } from '../forecast/poolStatusLine.ts'
import { systemClock } from '../kube/clock.ts'
import { createInformers } from '../kube/informers.ts'
import { ApiError, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { connect } from './connect.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { formatTable, type Style, type Terminal } from './terminal.ts'

interface StatusFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly watch: boolean
  readonly output: OutputFormat
}

/** `mco status`: pools and nodes at a glance, and why something waits or is stuck. */
export function statusCommand(terminal: Terminal): Command {
  return new Command('status')
    .description('show pools and nodes at a glance, and why something waits or is stuck')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-w, --watch', 'redraw when something changes; Ctrl-C stops watching', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  mco status\n  mco status --watch\n  mco status -o json | jq ".nodes[] | select(.state == \\"Degraded\\")"',
    )
    .action(async (flags: StatusFlags) => {
      const kube = await connect(flags)
      if (flags.watch) return watchStatus(terminal, kube)
      const status = await readStatus(kube)
      print(terminal, flags.output, status, () => formatStatus(terminal, status))
    })
}

async function readStatus(kube: KubeApi): Promise<ClusterStatus> {
  const [pools, nodes, machineConfigNodes, joins, bundle] = await Promise.all([
    itemsOf(kube, MachineConfigPool),
    itemsOf(kube, Node),
    itemsOf(kube, MachineConfigNode).catch((error: unknown) => {
      // Clusters of older releases do not have this kind; what it adds is detail.
      if (isNotFound(error)) return []
      throw error
    }),
    kube.get(ConfigMap, joinsMap).catch(undefinedIfHidden),
    kube.get(ConfigMap, bundleMap).catch(undefinedIfHidden),
  ])
  return clusterStatus({ pools, nodes, machineConfigNodes, joins: readJoins(joins), bundle }, new Date())
}

/** Nobody joined yet, there is no config server; or the user may see nodes, but not the operator's namespace. */
function undefinedIfHidden(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
  throw error
}

const joinsMap = { name: serverObject.joins, namespace: operatorNamespace }
const bundleMap = { name: serverObject.ca, namespace: operatorNamespace }

const itemsOf = async <T extends KubernetesObject>(kube: KubeApi, kind: Kind<T>): Promise<readonly T[]> =>
  (await kube.list(kind)).items

/** Redraws when an object changed, at most five times a second; Ctrl-C ends the looking, not the work. */
async function watchStatus(terminal: Terminal, kube: KubeApi): Promise<void> {
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('interrupted')))
  const informers = createInformers({
    kube,
    clock: systemClock,
    random: Math.random,
    signal: stop.signal,
    isOptional: (kind) => kind.kind === MachineConfigNode.kind,
    scopeOf: (kind) => (kind.kind === ConfigMap.kind ? { namespace: operatorNamespace } : undefined),
  })
  const shown = { text: '', drawing: false }
  const draw = (): void => {
    shown.drawing = false
    if (stop.signal.aborted || ![MachineConfigPool, Node, MachineConfigNode].every((kind) => informers.hasSynced(kind)))
      return
    const { cache } = informers
    const objects = {
      pools: cache.list(MachineConfigPool),
      nodes: cache.list(Node),
      machineConfigNodes: cache.list(MachineConfigNode),
      joins: informers.hasSynced(ConfigMap) ? readJoins(cache.get(ConfigMap, joinsMap)) : [],
      bundle: informers.hasSynced(ConfigMap) ? cache.get(ConfigMap, bundleMap) : undefined,
    }
    const text = formatStatus(terminal, clusterStatus(objects, new Date()))
    if (text === shown.text) return
    terminal.out(`${terminal.isTty ? '\u001b[2J\u001b[H' : shown.text === '' ? '' : '---\n'}${text}`)
    shown.text = text
  }
  const drawSoon = (): void => {
    if (!shown.drawing) setTimeout(draw, 200)
    shown.drawing = true
  }
  for (const kind of [MachineConfigPool, Node, MachineConfigNode, ConfigMap] as readonly Kind<KubernetesObject>[])
    informers.subscribe(kind, drawSoon)
  await informers.synced(stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  drawSoon()
  await informers.stopped()
}

function formatStatus(terminal: Terminal, status: ClusterStatus): string {
  const { pools, nodes } = status
  const poolRows = pools.map((pool) => [
    pool.name,
    paintState(terminal, pool.state),
    shortName(pool.config),
    shortName(pool.target),
    `${pool.updated}/${pool.machines}`,
    String(pool.ready),
    String(pool.unavailable),
    String(pool.degraded),
  ])
  const nodeRows = nodes.map((node) => [
    node.name,
    node.pool || '(none)',
    paintState(terminal, node.state) + (node.state === 'Waiting' && node.hold ? ` (${node.hold.reason})` : ''),
    readiness(node),
    shortName(node.config),
    node.desired === node.config ? '=' : shortName(node.desired),
  ])
  return [
    formatTable(['POOL', 'STATE', 'CONFIG', 'TARGET', 'UPDATED', 'READY', 'UNAVAILABLE', 'DEGRADED'], poolRows),
    '',
    formatTable(['NODE', 'POOL', 'STATE', 'READY', 'CONFIG', 'DESIRED'], nodeRows),
    ...notes(terminal, status),
  ].join('\n')
}

function notes(terminal: Terminal, { pools, nodes, joins, certificates }: ClusterStatus): string[] {
  const lines = [
    ...pools.flatMap(({ name, messages }) =>
      messages.map((message) => `${terminal.paint('bold', `pool ${name}`)}: ${message}`),
    ),
    ...nodes.flatMap((node) =>
      [...node.messages, ...ownHold(node, pools)].map(
        (message) => `${terminal.paint('bold', `node ${node.name}`)}: ${message}`,
      ),
    ),
    ...certificates.map((problem) => `${terminal.paint('bold', 'certificates of the config server')}: ${problem}`),
    ...joins.map(({ pool, message }) => `${terminal.paint('bold', `join of pool ${pool}`)}: ${message}`),
  ]
  return lines.length > 0 ? ['', ...lines] : []
}

/** Why a node waits, unless its pool has said the same for all that wait. */
function ownHold({ pool, hold }: NodeStatusLine, pools: readonly PoolStatusLine[]): string[] {
  const said = pools.find(({ name }) => name === pool)?.messages ?? []
  return !hold || said.some((message) => message.includes(hold.message)) ? [] : [hold.message]
}

const readiness = ({ ready, schedulable }: NodeStatusLine): string =>
  `${ready ? 'yes' : 'no'}${schedulable ? '' : ', cordoned'}`

/** `rendered-worker-0123abcd…`: enough of the hash to tell two apart. */
const shortName = (name: string): string => name.replace(/-([0-9a-f]{8})[0-9a-f]{24}$/, '-$1')

const styles: Readonly<Record<PoolStatusLine['state'] | NodeStatusLine['state'], Style>> = {
  Updated: 'green',
  Done: 'green',
  Updating: 'cyan',
  Draining: 'cyan',
  Rebooting: 'cyan',
  Uncordoning: 'cyan',
  Paused: 'yellow',
  Waiting: 'yellow',
  Unknown: 'dim',
  Unmanaged: 'dim',
  Degraded: 'red',
  Unreconcilable: 'red',
}

const paintState = (terminal: Terminal, state: keyof typeof styles): string => terminal.paint(styles[state], state)
