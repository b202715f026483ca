import { Command } from 'commander'
import type { MachineConfig } from '../api/machineConfig.ts'
import { applyOnce, type OncePlan } from '../daemon/applyOnce.ts'
import { emptyConfigName } from '../daemon/change.ts'
import { loadConfig } from '../daemon/loadConfig.ts'
import { describeStep } from '../daemon/step.ts'
import { describeAction, impactOf } from '../forecast/impact.ts'
import type { Host } from '../host/host.ts'
import { hostRuntime } from '../host/hostRuntime.ts'
import { applyRepair, driftFrom } from './applyRepair.ts'
import { checkDocument } from './checkDocument.ts'
import { confirm } from './confirm.ts'
import { CliError } from './exitCodes.ts'
import { collectObjects, type OfflineObjects, poolFor } from './fragments.ts'
import { readInput } from './input.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { offlinePolicies } from './policies.ts'
import { refuseInvalid, refuseSyntaxErrors } from './problems.ts'
import { renderPool } from './renderPool.ts'
import { changeHost } from './rootOption.ts'
import type { Terminal } from './terminal.ts'
import { uninterrupted } from './uninterrupted.ts'

interface ApplyFlags {
  readonly root: string
  readonly pool: string
  readonly dryRun: boolean
  readonly yes: boolean
  readonly output: OutputFormat
}

interface ApplyInput {
  readonly config: MachineConfig
  readonly objects: OfflineObjects
}

/** `mco apply`: one config onto one machine, without a cluster, as a transaction that can be undone. */
export function applyCommand(terminal: Terminal): Command {
  return new Command('apply')
    .description('bring one machine to a config, without a cluster; `mco undo` takes it back')
    .argument('<path...>', 'files or directories: MachineConfigs or Ignition; several are merged')
    .option('--root <directory>', 'the root of the machine: everything happens below it', '/')
    .option('-p, --pool <name>', 'role of plain Ignition, and pool to merge for', 'worker')
    .option('--dry-run', 'show what would happen and stop', false)
    .option('-y, --yes', 'do not ask', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  mco apply chrony.yaml\n  mco apply examples/chrony.yaml --root /srv/machine --dry-run\n  mco apply configs/ --root /srv/machine --yes',
    )
    .action(async (paths: string[], flags: ApplyFlags) => {
      const input = await readConfig(paths, flags.pool)
      await changeHost(flags.root, (host) => apply(terminal, host, input, flags))
    })
}

async function apply(
  terminal: Terminal,
  host: Host,
  { config, objects }: ApplyInput,
  flags: ApplyFlags,
): Promise<void> {
  const policies = offlinePolicies(objects, flags.pool, await hostRuntime(host))
  const next = loadConfig(config)
  const engine = applyOnce(host, next, { policies, runActions: true })
  const recovered = await engine.recover()
  if (recovered.kind === 'undone')
    terminal.err(`an interrupted change was taken back first${recovered.needsBoot ? '; a reboot completes that' : ''}`)
  if (recovered.kind === 'committed') terminal.err(`an interrupted change to ${recovered.to} was finished first`)
  const plan = await engine.plan()
  if (plan.prepared.kind !== 'ready') throw new CliError(`${plan.prepared.message}; nothing was touched`)
  print(terminal, flags.output, planValue(plan), () => formatPlan(terminal, plan))
  const isThere = plan.prepared.plan.steps.length === 0
  if (flags.dryRun || (isThere && plan.drift.length === 0)) return
  if (!flags.yes && !(await confirm(terminal, 'Apply?'))) throw new CliError('not applied; nothing was touched')
  if (isThere) return applyRepair(terminal, host, next, policies, plan.drift)
  const outcome = await uninterrupted(terminal, () =>
    engine.run(plan, ({ phase, step, position, count }) =>
      terminal.err(`[${position}/${count}] ${phase === 'undo' ? 'undo: ' : ''}${describeStep(step)}`),
    ),
  )
  if (outcome.kind === 'refused') throw new CliError(`${outcome.message}; nothing was touched`)
  if (outcome.kind === 'failed')
    throw new CliError(
      `${outcome.message}; ${outcome.undone ? 'everything was taken back' : 'not everything could be taken back, see above'}`,
    )
  terminal.err(
    `applied ${plan.to}${outcome.rebootNeeded ? '; a reboot completes it' : ''}. \`mco undo${flags.root === '/' ? '' : ` --root ${flags.root}`}\` takes it back.`,
  )
  // The change wrote what differs between two configs; what was changed by hand beside that still differs.
  const drifted = new Set(plan.drift.map(({ path }) => path))
  const left = (await driftFrom(host, next)).filter(({ path }) => drifted.has(path))
  if (left.length > 0) await applyRepair(terminal, host, next, policies, left)
}

async function readConfig(paths: readonly string[], pool: string): Promise<ApplyInput> {
  const input = await readInput(paths)
  refuseSyntaxErrors(input.issues)
  refuseInvalid(input.documents.flatMap(checkDocument))
  const objects = collectObjects(input.documents, pool)
  if (objects.machineConfigs.length === 0)
    throw new CliError(`${paths.join(', ')} holds no MachineConfig and no Ignition config`)
  return { config: renderPool(poolFor(pool, objects.pools), objects).rendered, objects }
}

function planValue({ from, to, prepared, drift }: OncePlan): unknown {
  if (prepared.kind !== 'ready') return { from, to, refused: prepared.message }
  const { plan, change } = prepared
  return {
    from,
    to,
    steps: plan.steps.map((step) => describeStep(step)),
    impact: impactOf(change.actions, change.drain),
    actions: change.actions.map(describeAction),
    because: change.because.map(({ subject, rule }) => ({ subject, rule })),
    drift,
  }
}

function formatPlan(terminal: Terminal, { from, to, prepared, drift }: OncePlan): string {
  if (prepared.kind !== 'ready') return prepared.message
  const { plan, change } = prepared
  const differs = drift.map(({ message }) => `${terminal.paint('yellow', 'differs now:')} ${message}`)
  if (plan.steps.length === 0)
    return drift.length === 0
      ? `nothing to do: the machine is at ${to}`
      : [`the machine is at ${to}, but was changed by hand; this will be written again`, ...differs].join('\n')
  return [
    `${terminal.paint('bold', from === emptyConfigName ? 'no config yet' : from)} -> ${terminal.paint('bold', to)}`,
    ...plan.steps.map((step, index) => `  ${index + 1}. ${describeStep(step)}`),
    `then: ${change.actions.map(describeAction).join(', ')}`,
    ...change.because.map(({ subject, rule }) => `  ${subject}: ${rule}`),
    ...differs,
  ].join('\n')
}
