import process from 'node:process'
import { Command } from 'commander'
import type { MachineConfig } from '../api/machineConfig.ts'
import { machineConfigLabel } from '../api/names.ts'
import { type ChangeClass, classifyChange } from '../forecast/classifyChange.ts'
import type { MachineConfigView } from '../forecast/configDiff.ts'
import { type ChangeLine, describeChange } from '../forecast/describeChange.ts'
import { describeAction, impactOf } from '../forecast/impact.ts'
import { machineConfigView } from '../forecast/machineConfigView.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { reconcilable } from '../render/reconcilable.ts'
import { secretPathsOf } from '../render/secretPaths.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { formatChange } from './formatChange.ts'
import { collectObjects, type OfflineObjects, poolFor } from './fragments.ts'
import { readInput } from './input.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { offlinePolicies } from './policies.ts'
import { refuseSyntaxErrors } from './problems.ts'
import { renderPool } from './renderPool.ts'
import type { Terminal } from './terminal.ts'

interface DiffFlags {
  readonly pool: string
  readonly output: OutputFormat
  readonly showSecrets: boolean
  readonly exitCode: boolean
}

/** `mco diff`: what changes file by file between two configs, and what that does to a node, with the rule that says so. */
export function diffCommand(terminal: Terminal): Command {
  return new Command('diff')
    .description(
      'show what changes between two configs and what it does to a node: none, reload, restart, drain or reboot',
    )
    .argument('<a>', 'file or directory: what nodes have')
    .argument('<b>', 'file or directory: what they shall have')
    .option('-p, --pool <name>', 'pool to render when a side has several MachineConfigs', 'worker')
    .option(
      '--show-secrets',
      'show contents of files that only their owner may read, or that are marked as secret',
      false,
    )
    .option('--exit-code', 'exit with 1 when there is a difference', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nA MachineConfiguration in B brings the node disruption policies; without one the defaults hold.\n\nExamples:\n  mco diff old/ new/ --pool infra\n  mco diff 99-chrony.yaml 99-chrony-new.yaml -o json',
    )
    .action(async (a: string, b: string, flags: DiffFlags) => {
      const [before, after] = [await readSide(a, flags.pool), await readSide(b, flags.pool)]
      const report = compare(before, after, flags)
      print(terminal, flags.output, report, () => formatChange(terminal, report))
      const isRefused = report.impact === 'refused'
      if (isRefused || (flags.exitCode && report.changes.length > 0)) process.exitCode = exitCodes.failed
    })
}

interface Side {
  readonly config: MachineConfig
  readonly objects: OfflineObjects
}

/** Both sides as a node would get them: a rendered config stands for itself, everything else is rendered. */
async function readSide(path: string, pool: string): Promise<Side> {
  const input = await readInput([path])
  refuseSyntaxErrors(input.issues)
  const objects = collectObjects(input.documents, pool)
  const [only, second] = objects.machineConfigs
  if (!only) throw new CliError(`${path} holds no MachineConfig and no Ignition config`)
  if (!second && objects.pools.length === 0) return { config: renderAlone(only.object, objects), objects }
  return { config: renderPool(poolFor(pool, objects.pools), objects).rendered, objects }
}

interface DiffReport {
  readonly from: string
  readonly to: string
  readonly changes: readonly ChangeLine[]
  /** `refused`: no node can make this change in place. */
  readonly impact: ReturnType<typeof impactOf> | 'refused'
  readonly refusal?: string
  readonly actions: readonly string[]
  readonly drain: boolean
  readonly drainReason: string
  readonly because: readonly { readonly subject: string; readonly rule: string; readonly actions: readonly string[] }[]
}

function compare(before: Side, after: Side, { showSecrets, pool }: DiffFlags): DiffReport {
  const parser = fragmentParser()
  const [oldFragment, nextFragment] = [parser.parse(before.config), parser.parse(after.config)]
  const old = readable(machineConfigView(before.config, oldFragment), oldFragment.name)
  const next = readable(machineConfigView(after.config, nextFragment), nextFragment.name)
  const policies = offlinePolicies(after.objects, pool)
  const change = classifyChange(old, next, { policies })
  const marked = [...before.objects.machineConfigs, ...after.objects.machineConfigs].map(({ object }) => object)
  const secretPaths = new Set(secretPathsOf(marked))
  const overrides = after.objects.machineConfiguration?.spec.irreconcilableValidationOverrides
  const verdict = reconcilable(oldFragment, nextFragment, overrides)
  return {
    from: old.name,
    to: next.name,
    changes: describeChange(old, next, { showSecrets, secretPaths }),
    impact: verdict.kind === 'irreconcilable' ? 'refused' : impactOf(change.actions, change.drain),
    ...(verdict.kind === 'irreconcilable' ? { refusal: verdict.reason } : {}),
    ...consequences(change),
  }
}

/**
 * What a pool without any other MachineConfig would get, under the name that the reader knows. The defaults that rendering
 * fills in would otherwise be differences to a side that has several MachineConfigs.
 */
function renderAlone(config: MachineConfig, objects: OfflineObjects): MachineConfig {
  const role = config.metadata?.labels?.[machineConfigLabel.role]
  if (role === undefined) return withConfig(config)
  const { rendered } = renderPool(poolFor(role, []), objects)
  return { ...rendered, metadata: { ...rendered.metadata, name: config.metadata.name ?? '' } }
}

/** A MachineConfig of kernel arguments alone is compared as one with an empty Ignition config. */
function withConfig(config: MachineConfig): MachineConfig {
  return config.spec?.config
    ? config
    : { ...config, spec: { ...config.spec, config: { ignition: { version: '3.5.0' } } } }
}

function consequences(change: ChangeClass): Pick<DiffReport, 'actions' | 'drain' | 'drainReason' | 'because'> {
  const because = change.because.map(({ subject, rule, actions }) => ({
    subject,
    rule,
    actions: actions.map(describeAction),
  }))
  return { actions: change.actions.map(describeAction), drain: change.drain, drainReason: change.drainReason, because }
}

function readable(result: ReturnType<typeof machineConfigView>, name: string): MachineConfigView {
  if (result.kind === 'view') return result.view
  throw new CliError(`MachineConfig ${name}: ${result.error.trimEnd()}; \`mco validate\` shows where`)
}
