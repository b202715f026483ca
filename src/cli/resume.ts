import { Command } from 'commander'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { type Backlog, backlogOf } from '../forecast/backlog.ts'
import type { BacklogItem } from '../forecast/backlogItems.ts'
import { resumePatch } from '../forecast/pauseChange.ts'
import { type PauseRecord, pauseOf } from '../forecast/pauseRecord.ts'
import type { Plan, PoolPlan } from '../forecast/plan/plan.ts'
import { planChange } from '../forecast/plan/planOf.ts'
import { readSnapshot } from '../forecast/readSnapshot.ts'
import { isConflict, type KubeApi } from '../kube/kubeApi.ts'
import { confirm } from './confirm.ts'
import { connect } from './connect.ts'
import { CliError } from './exitCodes.ts'
import { formatRollout, formatUnknown } from './formatPlan.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { pauseFieldManager, poolNamed } from './pause.ts'
import { measuredRollouts } from './plan.ts'
import { type Reference, referenceTo } from './reference.ts'
import { severityStyles } from './severityStyles.ts'
import type { Terminal } from './terminal.ts'

interface ResumeFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly yes: boolean
  readonly dryRun: boolean
  readonly output: OutputFormat
}

/** `mco resume`: shows what waits behind a pause and what resuming does, asks, and resumes. */
export function resumeCommand(terminal: Terminal): Command {
  return new Command('resume')
    .description('show what waits behind the pause of a pool and what resuming does, then ask and resume')
    .argument('<pool>', 'mcp/NAME', referenceTo('mcp'))
    .option('-y, --yes', 'do not ask', false)
    .option('--dry-run', 'show and change nothing', false)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nEverything that waits arrives in one step: nodes go from what they run to the newest target.\n\nExamples:\n  mco resume mcp/worker --dry-run\n  mco resume mcp/worker --dry-run -o json | jq .backlog.nearestDeadline\n  mco resume mcp/worker --yes && mco wait mcp/worker',
    )
    .action(async ({ name }: Reference<'mcp'>, flags: ResumeFlags) => {
      const kube = await connect(flags)
      const shown = await lookAt(kube, name)
      print(terminal, flags.output, shown, () => formatResume(terminal, shown))
      if (flags.dryRun || !shown.pause) return
      if (!flags.yes && !(await confirm(terminal, 'Resume?'))) throw new CliError('nothing was changed')
      await resume(kube, name, shown)
      terminal.err(`mcp/${name} is resumed; mco wait mcp/${name} tells when every node has arrived`)
    })
}

interface Shown {
  readonly pool: string
  readonly target?: string
  /** Absent when the pool is not paused. */
  readonly pause?: PauseRecord
  readonly backlog?: Backlog
  readonly plan?: PoolPlan
  /** Kinds that could not be read: what follows from them is not known. */
  readonly unreadable: Plan['unreadable']
}

async function lookAt(kube: KubeApi, name: string): Promise<Shown> {
  const [snapshot, history] = [await readSnapshot(kube), await measuredRollouts(kube)]
  const pool = snapshot.pools.find(({ metadata }) => metadata.name === name) ?? (await poolNamed(kube, name))
  const now = new Date()
  const pause = pauseOf(pool)
  const target = pool.spec.configuration?.name
  const { unreadable } = snapshot
  if (!pause) return { pool: name, ...(target !== undefined && { target }), unreadable }
  const resumed = { ...pool, kind: MachineConfigPool.kind, spec: { ...pool.spec, paused: false } }
  const { pools } = planChange(snapshot, { put: [resumed], remove: [] }, now, { history })
  const backlog = backlogOf(snapshot, name, now)
  const plan = pools.find((each) => each.pool === name)
  return {
    pool: name,
    ...(target !== undefined && { target }),
    pause,
    ...(backlog && { backlog }),
    ...(plan && { plan }),
    unreadable,
  }
}

/** Only what was shown is agreed to: a target that came meanwhile has to be shown first. */
async function resume(kube: KubeApi, name: string, { target }: Shown): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { metadata, spec } = await poolNamed(kube, name)
    if (spec.configuration?.name !== target) {
      const found = spec.configuration?.name ?? 'none'
      throw new CliError(`mcp/${name} has another target than was shown: ${found}; run it again to see it`)
    }
    const body = { ...resumePatch, metadata: { ...resumePatch.metadata, resourceVersion: metadata.resourceVersion } }
    try {
      await kube.patch(MachineConfigPool, { name }, { type: 'merge', body }, { fieldManager: pauseFieldManager })
      return
    } catch (error) {
      // Its status was written meanwhile, which is nobody's objection.
      if (!isConflict(error) || attempt === 10) throw error
    }
  }
}

function formatResume(terminal: Terminal, { pool, pause, backlog, plan, unreadable }: Shown): string {
  if (!pause) return `mcp/${pool} is not paused; there is nothing to resume`
  const head = [`${terminal.paint('bold', `pool ${pool}`)} is paused ${pauseText(pause)}`]
  const unknown = formatUnknown(terminal, unreadable)
  const notes = unknown.length > 0 ? ['', ...unknown] : []
  if (!backlog) return [...head, 'Nothing waits behind the pause.', ...notes].join('\n')
  return [
    ...head,
    ...backlog.warnings.map(
      (warning) => `${terminal.paint(severityStyles[backlog.severity], backlog.severity)}: ${warning}`,
    ),
    '',
    `${whatWaits(backlog)} for ${backlog.nodes.length} of ${plan?.machines ?? backlog.nodes.length} nodes:`,
    ...backlog.items.flatMap((item) => itemLines(terminal, item)),
    ...backlog.nodes.flatMap(({ node, refusal }) => (refusal === undefined ? [] : [`  ${node}: ${refusal}`])),
    ...(plan ? ['', 'When it is resumed:', ...formatRollout(terminal, plan)] : []),
    ...notes,
  ].join('\n')
}

function whatWaits({ items, nodes }: Backlog): string {
  if (items.length === 0 && nodes.some(({ impact }) => impact === 'unknown')) return 'It is not known what waits'
  return items.length === 1 ? '1 change waits' : `${items.length} changes wait`
}

/** `since 2026-01-01T00:00:00Z by ada, until ...: reason`. */
function pauseText({ by, since, reason, until, resumesByItself }: PauseRecord): string {
  const parts = [
    since === undefined ? 'since nobody knows when' : `since ${since}`,
    by === undefined ? 'by nobody on record' : `by ${by}`,
    ...(until === undefined ? [] : [`until ${until}${resumesByItself ? ', when it resumes by itself' : ''}`]),
  ]
  return `${parts.join(', ')}${reason === undefined ? '' : `: ${reason}`}`
}

function itemLines(terminal: Terminal, item: BacklogItem): string[] {
  const marks = { added: '+', removed: '-', changed: '~' } as const
  const origin = item.sources.map(({ fragment, changedBy }) =>
    changedBy ? `mc/${fragment} (${changedBy.manager}, ${changedBy.operation ?? 'Update'})` : `mc/${fragment}`,
  )
  const from = origin.length > 0 ? origin : item.gone.map((name) => `mc/${name} (gone)`)
  return [
    `  ${marks[item.change]} ${terminal.paint('bold', item.subject)}: ${item.impact}, because: ${item.rule}`,
    `      from ${from.join(', ') || 'the operator'}${item.since === undefined ? '' : `, waits since ${item.since}`}`,
    ...item.deadlines.map(
      ({ subject, expires, renewedUntil }) =>
        `      nodes hold ${subject} until ${expires}${renewedUntil === undefined ? '' : `; what waits lasts until ${renewedUntil}`}`,
    ),
  ]
}
