import { Command } from 'commander'
import { ConfigMap } from '../api/core.ts'
import { operatorNamespace, serverObject } from '../api/names.ts'
import { type ClusterStatus, clusterStatus } from '../forecast/clusterStatus.ts'
import { explain } from '../forecast/explain/explain.ts'
import { unsaidMessages } from '../forecast/explain/unsaidMessages.ts'
import type { Finding } from '../forecast/finding.ts'
import { readJoins } from '../forecast/joinRecords.ts'
import type { NodeStatusLine } from '../forecast/nodeStatusLine.ts'
import type { PoolStatusLine } from '../forecast/poolStatusLine.ts'
import { readSnapshot } from '../forecast/readSnapshot.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import { connect } from './connect.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { severityStyles } from './severityStyles.ts'
import { formatTable, type Style, type Terminal } from './terminal.ts'
import { watchCluster } from './watchCluster.ts'

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
      if (flags.watch) return watchCluster(terminal, kube, async () => formatStatus(terminal, await readStatus(kube)))
      const status = await readStatus(kube)
      print(terminal, flags.output, status, () => formatStatus(terminal, status))
    })
}

async function readStatus(kube: KubeApi): Promise<ClusterStatus> {
  const [snapshot, joins, bundle] = await Promise.all([
    readSnapshot(kube),
    kube.get(ConfigMap, joinsMap).catch(undefinedIfHidden),
    kube.get(ConfigMap, bundleMap).catch(undefinedIfHidden),
  ])
  const { pools, nodes, machineConfigNodes, controllerConfig } = snapshot
  const now = new Date()
  const findings = explain(snapshot, now)
  const { unreadable } = snapshot
  const joined = readJoins(joins)
  return clusterStatus(
    { pools, nodes, machineConfigNodes, joins: joined, bundle, controllerConfig, findings, unreadable },
    now,
  )
}

/** Nobody joined yet, there is no config server; or the user may see nodes, but not the operator's namespace. */
function undefinedIfHidden(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
  throw error
}

const joinsMap = { name: serverObject.joins, namespace: operatorNamespace }
const bundleMap = { name: serverObject.ca, namespace: operatorNamespace }

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

function notes(terminal: Terminal, status: ClusterStatus): string[] {
  const { pools, nodes, joins, certificates, bundles, findings } = status
  const hidden = Object.keys(status.unreadable)
  const about = (kind: Finding['subject']['kind'], name: string) =>
    findings.filter(({ subject }) => subject.kind === kind && subject.name === name)
  const lines = [
    ...pools.flatMap(({ name, messages }) => notesOf(terminal, `pool ${name}`, about('mcp', name), messages)),
    ...nodes.flatMap((node) =>
      notesOf(terminal, `node ${node.name}`, about('node', node.name), [
        ...node.messages,
        // What keeps the whole pool is said with the pool.
        ...unsaidMessages(ownHold(node, pools), about('mcp', node.pool)),
      ]),
    ),
    ...findings
      .filter(({ subject }) => subject.kind === 'mc')
      .flatMap((finding) => notesOf(terminal, `MachineConfig ${finding.subject.name}`, [finding], [])),
    ...certificates.map((problem) => `${terminal.paint('bold', 'certificates of the config server')}: ${problem}`),
    ...bundles.map((problem) => `${terminal.paint('bold', 'certificates')}: ${problem}`),
    ...joins.map(({ pool, message }) => `${terminal.paint('bold', `join of pool ${pool}`)}: ${message}`),
    ...(hidden.length > 0
      ? [`${terminal.paint('yellow', 'not known')}, because you may not read it: ${hidden.join(', ')}`]
      : []),
  ]
  return lines.length > 0 ? ['', ...lines] : []
}

/** What is the matter and what to do about it; then what else is known. `mco explain` tells why. */
function notesOf(
  terminal: Terminal,
  title: string,
  findings: readonly Finding[],
  messages: readonly string[],
): readonly string[] {
  const bold = terminal.paint('bold', title)
  return [
    ...findings.flatMap(({ severity, what, remedy }) => [
      `${bold} (${terminal.paint(severityStyles[severity], severity)}): ${what}`,
      `  remedy: ${remedy}`,
    ]),
    ...unsaidMessages(messages, findings).map((message) => `${bold}: ${message}`),
  ]
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
