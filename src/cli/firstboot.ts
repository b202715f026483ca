import { Command } from 'commander'
import { completeFirstBoot } from '../daemon/firstBoot.ts'
import { openJournal } from '../daemon/journal.ts'
import { recover } from '../daemon/recover.ts'
import { describeStep } from '../daemon/step.ts'
import type { Host } from '../host/host.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { changeHost } from './rootOption.ts'
import type { Terminal } from './terminal.ts'
import { uninterrupted } from './uninterrupted.ts'

interface FirstBootFlags {
  readonly root: string
  readonly reboot: boolean
}

/** `mco firstboot`: what Ignition leaves to do on a machine that joins, before its kubelet starts. */
export function firstbootCommand(terminal: Terminal): Command {
  return new Command('firstboot')
    .description(
      'end the installation of a machine: kernel arguments, OS image, kernel and extensions of its config; reboots when they need it',
    )
    .option('--root <directory>', 'the root of the machine', '/')
    .option('--no-reboot', 'leave the reboot to the caller')
    .addHelpText(
      'after',
      '\nMeant for a unit that runs before the kubelet: examples/systemd/mco-firstboot.service.\n\nExamples:\n  mco firstboot\n  mco firstboot --root /srv/machine --no-reboot',
    )
    .action((flags: FirstBootFlags) =>
      changeHost(flags.root, (host) => uninterrupted(terminal, () => firstBoot(terminal, host, flags.reboot))),
    )
}

async function firstBoot(terminal: Terminal, host: Host, mayReboot: boolean): Promise<void> {
  const journal = openJournal(host.files)
  const recovered = await recover(host, journal)
  if (recovered.kind === 'undoFailed')
    throw new CliError(`an interrupted change could not be taken back: ${recovered.errors.join('; ')}`)
  if (recovered.kind === 'actionsLeft') return reboot(terminal, host, recovered.state.header.to, mayReboot)
  const outcome = await completeFirstBoot(host, journal, ({ phase, step, position, count }) =>
    terminal.err(`[${position}/${count}] ${phase === 'undo' ? 'undo: ' : ''}${describeStep(step)}`),
  )
  switch (outcome.kind) {
    case 'nothing':
      return terminal.out('nothing to do: this machine has no config that waits for its first boot')
    case 'unreadable':
      throw new CliError(`${outcome.message}; nothing was touched`, exitCodes.unavailable)
    case 'refused':
      throw new CliError(`${outcome.config}: ${outcome.message}; nothing was touched`)
    case 'failed':
      throw new CliError(`${outcome.config}: ${outcome.message}`)
    case 'complete':
      if (outcome.rebootNeeded) return reboot(terminal, host, outcome.config, mayReboot)
      return terminal.out(`the installation to ${outcome.config} is complete`)
    default:
      return outcome satisfies never
  }
}

async function reboot(terminal: Terminal, host: Host, config: string, mayReboot: boolean): Promise<void> {
  if (!mayReboot) return terminal.out(`a reboot completes the installation to ${config}`)
  terminal.out(`rebooting to complete the installation to ${config}`)
  await host.power.reboot(`Completing firstboot provisioning to ${config}`)
}
