import { Command } from 'commander'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { type ChangedFragment, PoolRollout, rolloutPoolLabel } from '../api/poolRollout.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { type Reference, referenceTo } from './reference.ts'
import { formatTable, type Style, type Terminal } from './terminal.ts'

interface HistoryFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly output: OutputFormat
}

/** `mco history`: the rollouts of a pool, what each changed, and how it ended. */
export function historyCommand(terminal: Terminal): Command {
  return new Command('history')
    .description('list the rollouts of a pool: what each changed, who did it, and how it ended')
    .argument('<object>', 'mcp/NAME', referenceTo('mcp'))
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  mco history mcp/worker\n  mco history mcp/worker -o json | jq ".[-1].status.nodes"',
    )
    .action(async ({ name }: Reference<'mcp'>, flags: HistoryFlags) => {
      const rollouts = await readHistory(await connect(flags), name)
      print(terminal, flags.output, rollouts, () => formatHistory(terminal, name, rollouts))
    })
}

/** The rollouts of one pool, oldest first. What is not there is a CliError that says what to do. */
export async function readHistory(kube: KubeApi, pool: string): Promise<readonly PoolRollout[]> {
  const missing = (what: string) => (error: unknown) => {
    throw isNotFound(error) ? new CliError(what, exitCodes.unavailable, { cause: error }) : error
  }
  await kube
    .get(MachineConfigPool, { name: pool })
    .catch(missing(`there is no pool ${pool}; kubectl get mcp lists them`))
  const { items } = await kube
    .list(PoolRollout, { labelSelector: `${rolloutPoolLabel}=${pool}` })
    .catch(missing('this cluster keeps no history: it has no PoolRollouts'))
  return items.toSorted((a, b) => a.spec.revision - b.spec.revision)
}

function formatHistory(terminal: Terminal, pool: string, rollouts: readonly PoolRollout[]): string {
  if (rollouts.length === 0) return `pool ${pool} has no recorded rollout yet`
  const rows = rollouts.map(({ metadata, spec, status }) => [
    String(spec.revision),
    terminal.paint(styles[status?.phase ?? 'Waiting'], status?.phase ?? 'Waiting'),
    status?.updated ?? '',
    metadata.creationTimestamp ?? '',
    spec.to.replace(/-([0-9a-f]{8})[0-9a-f]{24}$/, '-$1'),
    changeText(spec),
  ])
  return formatTable(['REVISION', 'PHASE', 'UPDATED', 'RECORDED', 'TARGET', 'CHANGE'], rows)
}

/** `+50-a (kubectl) ~00-worker -99-b`: added, modified, removed. */
function changeText({ change, fragments }: PoolRollout['spec']): string {
  if (!change) return `the first: ${(fragments ?? []).length} MachineConfigs`
  const marked = (mark: string, list: readonly ChangedFragment[] = []) =>
    list.map(({ name, changedBy }) => `${mark}${name}${changedBy === undefined ? '' : ` (${changedBy})`}`)
  const all = [...marked('+', change.added), ...marked('~', change.modified), ...marked('-', change.removed)]
  const more = all.length > shown ? [`and ${all.length - shown} more`] : []
  return [...all.slice(0, shown), ...more, ...(change.system ?? [])].join(' ') || "the cluster's own settings"
}

const shown = 5

const styles: Readonly<Record<NonNullable<NonNullable<PoolRollout['status']>['phase']>, Style>> = {
  Complete: 'green',
  Progressing: 'cyan',
  Waiting: 'cyan',
  Paused: 'yellow',
  Blocked: 'red',
  Superseded: 'dim',
  Reverted: 'dim',
}
