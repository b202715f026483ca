import { Command } from 'commander'
import type { PoolRollout } from '../api/poolRollout.ts'
import { type ChangeEffect, changeEffect } from '../forecast/changeEffect.ts'
import { effectivePolicies } from '../forecast/effectivePolicies.ts'
import { readSnapshot } from '../forecast/readSnapshot.ts'
import { carryOutStep, readCopies } from '../history/carryOutRollback.ts'
import {
  previousRollout,
  proposeRollback,
  type RollbackProposal,
  type RollbackStep,
} from '../history/proposeRollback.ts'
import { messageOf } from '../kube/errors.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { wholeNumber } from './argumentParsers.ts'
import { confirm } from './confirm.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { formatChange } from './formatChange.ts'
import { readHistory } from './history.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { type Reference, referenceTo } from './reference.ts'
import type { Terminal } from './terminal.ts'

interface RollbackFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly to?: number
  readonly yes: boolean
  readonly dryRun: boolean
  readonly showSecrets: boolean
  readonly output: OutputFormat
}

/** `mco rollback`: the change of MachineConfigs that takes a pool back to an earlier rollout, shown, agreed to, and made. */
export function rollbackCommand(terminal: Terminal): Command {
  return new Command('rollback')
    .description(
      'take a pool back to an earlier rollout: shows which MachineConfigs change and what that does, then asks',
    )
    .argument('<object>', 'mcp/NAME', referenceTo('mcp'))
    .option(
      '--to <revision>',
      'the rollout to go back to (default: the last complete one before)',
      wholeNumber(1, 2 ** 31),
    )
    .option('-y, --yes', 'do not ask', false)
    .option('--dry-run', 'show and change nothing', false)
    .option(
      '--show-secrets',
      'show contents of files that only their owner may read, or that are marked as secret',
      false,
    )
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  mco history mcp/worker\n  mco rollback mcp/worker\n  mco rollback mcp/worker --to 7 --yes && mco wait mcp/worker',
    )
    .action(async ({ name }: Reference<'mcp'>, flags: RollbackFlags) => {
      const kube = await connect(flags)
      const { proposal, effect } = await propose(kube, name, flags)
      if (proposal.kind === 'impossible') {
        throw new CliError(
          `mcp/${name} cannot be taken back\n${proposal.problems.map((each) => `  ${each}`).join('\n')}`,
        )
      }
      if (proposal.kind === 'nothing') {
        print(
          terminal,
          flags.output,
          { steps: [], message: proposal.message },
          () => `${proposal.message}; nothing to do`,
        )
        return
      }
      const shown = { ...summaryOf(proposal), ...(effect && { effect: withoutViews(effect) }) }
      print(terminal, flags.output, shown, () => formatProposal(terminal, name, proposal, effect))
      if (flags.dryRun) return
      if (!flags.yes && !(await confirm(terminal, 'Roll back?'))) throw new CliError('nothing was changed')
      await carryOut(terminal, kube, proposal.steps)
      terminal.err(`mcp/${name} goes back; mco wait mcp/${name} tells when every node has it`)
    })
}

type Proposal = Extract<RollbackProposal, { kind: 'proposal' }>

async function propose(
  kube: KubeApi,
  pool: string,
  { to, showSecrets }: RollbackFlags,
): Promise<{ readonly proposal: RollbackProposal; readonly effect?: ChangeEffect }> {
  const rollouts = await readHistory(kube, pool)
  const rollout = to === undefined ? previousRollout(rollouts, pool) : rollouts.find(({ spec }) => spec.revision === to)
  if (!rollout)
    throw new CliError(whyNone(rollouts, pool, to), to === undefined ? exitCodes.failed : exitCodes.unavailable)
  const snapshot = await readSnapshot(kube)
  const found = snapshot.pools.find(({ metadata }) => metadata.name === pool)
  if (!found) throw new CliError(`there is no pool ${pool}`, exitCodes.unavailable)
  const records = await readCopies(kube, rollout, snapshot.machineConfigs)
  const { parse } = fragmentParser()
  const proposal = proposeRollback({ snapshot, pool: found, rollout, rollouts, records }, { parse }, new Date())
  if (proposal.kind !== 'proposal' || !proposal.from) return { proposal }
  const settings = snapshot.machineConfiguration
  const policies = effectivePolicies({ settings, poolName: pool, poolAnnotations: found.metadata.annotations })
  const overrides = settings?.spec.irreconcilableValidationOverrides
  return {
    proposal,
    effect: changeEffect(proposal.from, proposal.rendered, { parse, policies, overrides, showSecrets }),
  }
}

function whyNone(rollouts: readonly PoolRollout[], pool: string, to: number | undefined): string {
  const kept = rollouts.map(({ spec }) => spec.revision)
  if (to === undefined) return `pool ${pool} has no earlier rollout with another config to go back to`
  return `pool ${pool} has no revision ${to}; kept are ${kept.join(', ') || 'none'}`
}

const summaryOf = ({ rollout, steps, warnings, rendered }: Proposal) => ({
  to: rollout.metadata.name,
  renders: rendered.metadata.name,
  steps: steps.map(({ kind, name }) => ({ kind, name })),
  warnings,
})

/** Views hold contents. */
function withoutViews({ views: _views, ...effect }: ChangeEffect): Omit<ChangeEffect, 'views'> {
  return effect
}

function formatProposal(
  terminal: Terminal,
  pool: string,
  proposal: Proposal,
  effect: ChangeEffect | undefined,
): string {
  const { rollout, steps, warnings } = proposal
  const marks = {
    restore: terminal.paint('green', '+ restore'),
    modify: terminal.paint('yellow', '~ modify '),
    delete: terminal.paint('red', '- delete '),
  }
  return [
    `mcp/${pool} back to poolrollout/${rollout.metadata.name} (${rollout.spec.to}):`,
    ...steps.map(({ kind, name }) => `  ${marks[kind]} mc/${name}`),
    ...warnings.map((warning) => `${terminal.paint('yellow', 'note:')} ${warning}`),
    ...(effect ? ['', formatChange(terminal, effect)] : []),
  ].join('\n')
}

/** Stops at the first object that is not what was shown; says what was done and what was not. */
async function carryOut(terminal: Terminal, kube: KubeApi, steps: readonly RollbackStep[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await carryOutStep(kube, step)
      terminal.err(`mc/${step.name}: ${done[step.kind]}`)
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) throw error
      const left = steps.slice(index).map(({ name }) => `mc/${name}`)
      throw new CliError(
        `mc/${step.name} has changed since it was shown: ${messageOf(error)}; not done: ${left.join(', ')}; run it again to see what is left`,
        exitCodes.failed,
        { cause: error },
      )
    }
  }
}

const done = { restore: 'restored', modify: 'modified', delete: 'deleted' } as const
