import { Command } from 'commander'
import { applyOnce } from '../daemon/applyOnce.ts'
import { emptyConfigName } from '../daemon/change.ts'
import { emptyLoadedConfig } from '../daemon/loadConfig.ts'
import { describeStep } from '../daemon/step.ts'
import { defaultPolicies } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import { CliError } from './exitCodes.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { changeHost } from './rootOption.ts'
import type { Terminal } from './terminal.ts'
import { uninterrupted } from './uninterrupted.ts'

interface UndoFlags {
  readonly root: string
  readonly force: boolean
  readonly output: OutputFormat
}

/** `mco undo`: takes back the last `mco apply` on a machine. */
export function undoCommand(terminal: Terminal): Command {
  return new Command('undo')
    .description('take back the last `mco apply` on a machine')
    .option('--root <directory>', 'the root of the machine', '/')
    .option('--force', 'also when files were changed by hand since', false)
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  mco undo\n  mco undo --root /srv/machine')
    .action((flags: UndoFlags) => changeHost(flags.root, (host) => undo(terminal, host, flags)))
}

async function undo(terminal: Terminal, host: Host, { root, force, output }: UndoFlags): Promise<void> {
  const engine = applyOnce(host, emptyLoadedConfig, { policies: defaultPolicies })
  await engine.recover()
  const outcome = await uninterrupted(terminal, () =>
    engine.undoLast({
      force,
      onProgress: ({ step, position, count }) => terminal.err(`[${position}/${count}] undo: ${describeStep(step)}`),
    }),
  )
  switch (outcome.kind) {
    case 'undone':
      return print(terminal, output, { from: outcome.from, to: outcome.to, rebootNeeded: outcome.rebootNeeded }, () =>
        [
          outcome.to === emptyConfigName ? 'back as it was before the first apply' : `back at ${outcome.to}`,
          ...(outcome.rebootNeeded ? ['a reboot completes it'] : []),
        ].join('; '),
      )
    case 'nothing':
      throw new CliError(`there is no applied change to take back below ${root}`)
    case 'changedSince':
      throw new CliError(
        `changed by hand since the apply: ${outcome.paths.join(', ')}; --force takes the change back all the same and loses that`,
      )
    case 'failed':
      throw new CliError(`not everything could be taken back: ${outcome.errors.join('; ')}`)
    default:
      return outcome satisfies never
  }
}
