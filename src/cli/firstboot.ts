import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { completeFirstBoot } from '../daemon/firstBoot.ts'
import { ConfigRefused, followPointer, parsePointer } from '../daemon/followPointer.ts'
import { installMachine } from '../daemon/installMachine.ts'
import { type Journal, openJournal } from '../daemon/journal.ts'
import { recover } from '../daemon/recover.ts'
import { describeStep } from '../daemon/step.ts'
import type { Progress } from '../daemon/transaction.ts'
import type { Host } from '../host/host.ts'
import { systemClock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { changeHost } from './rootOption.ts'
import type { Terminal } from './terminal.ts'
import { uninterrupted } from './uninterrupted.ts'

interface FirstBootFlags {
  readonly root: string
  readonly reboot: boolean
  readonly pointer?: string
}

/** `mco firstboot`: what Ignition leaves to do on a machine that joins, before its kubelet starts. */
export function firstbootCommand(terminal: Terminal): Command {
  return new Command('firstboot')
    .description(
      'end the installation of a machine: kernel arguments, OS image, kernel and extensions of its config; reboots when they need it',
    )
    .option('--root <directory>', 'the root of the machine', '/')
    .option('--no-reboot', 'leave the reboot to the caller')
    .option(
      '--pointer <file>',
      'no Ignition has set this machine up: fetch what the pointer names and write it, then reboot into it',
    )
    .addHelpText(
      'after',
      '\nMeant for a unit that runs before the kubelet: examples/systemd/mco-firstboot.service.\n\nExamples:\n  mco firstboot\n  mco firstboot --root /srv/machine --no-reboot',
    )
    .action(async ({ root, reboot: mayReboot, pointer }: FirstBootFlags) => {
      const served = pointer === undefined ? undefined : await fetchServed(terminal, pointer)
      await changeHost(root, (host) =>
        uninterrupted(terminal, () =>
          firstBoot(terminal, host, { mayReboot, ...(served !== undefined && { served }) }),
        ),
      )
    })
}

async function fetchServed(terminal: Terminal, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CliError(`--pointer ${path} cannot be read: ${messageOf(error)}`, exitCodes.unavailable)
  })
  const target = parsePointer(text)
  if ('message' in target) throw new CliError(`--pointer ${path}: ${target.message}`, exitCodes.usage)
  const onRetry = (message: string): void => terminal.err(`${message}; asking again`)
  return followPointer(target, { clock: systemClock, random: Math.random, onRetry }).catch((error: unknown) => {
    throw error instanceof ConfigRefused ? new CliError(`${error.message}; nothing was touched`) : error
  })
}

interface FirstBootInput {
  readonly mayReboot: boolean
  /** What the config server gave, where no Ignition has written it. */
  readonly served?: string
}

async function firstBoot(terminal: Terminal, host: Host, { mayReboot, served }: FirstBootInput): Promise<void> {
  const journal = openJournal(host.files)
  const recovered = await recover(host, journal)
  if (recovered.kind === 'undoFailed')
    throw new CliError(`an interrupted change could not be taken back: ${recovered.errors.join('; ')}`)
  if (recovered.kind === 'actionsLeft') return reboot(terminal, host, recovered.state.header.to, mayReboot)
  const onProgress = ({ phase, step, position, count }: Progress): void =>
    terminal.err(`[${position}/${count}] ${phase === 'undo' ? 'undo: ' : ''}${describeStep(step)}`)
  const isNew = served !== undefined && (await install(terminal, host, { journal, served, onProgress }))
  const outcome = await completeFirstBoot(host, journal, onProgress)
  switch (outcome.kind) {
    case 'nothing':
      if (isNew) return reboot(terminal, host, 'what was served', mayReboot)
      return terminal.out('nothing to do: this machine has no config that waits for its first boot')
    case 'unreadable':
      throw new CliError(`${outcome.message}; nothing was touched`, exitCodes.unavailable)
    case 'refused':
      throw new CliError(`${outcome.config}: ${outcome.message}; nothing was touched`)
    case 'failed':
      throw new CliError(`${outcome.config}: ${outcome.message}`)
    case 'complete':
      // Also after an earlier start that ended between the two: what the config enables begins with a boot.
      if (outcome.rebootNeeded || served !== undefined) return reboot(terminal, host, outcome.config, mayReboot)
      return terminal.out(`the installation to ${outcome.config} is complete`)
    default:
      return outcome satisfies never
  }
}

interface InstallInput {
  readonly journal: Journal
  readonly served: string
  readonly onProgress: (progress: Progress) => void
}

/** Answers whether it was done now, and not at an earlier start. */
async function install(terminal: Terminal, host: Host, input: InstallInput): Promise<boolean> {
  const outcome = await installMachine(host, input.journal, input.served, input.onProgress)
  if (outcome.kind === 'refused') throw new CliError(`${outcome.message}; nothing was touched`)
  if (outcome.kind === 'failed') throw new CliError(outcome.message)
  if (outcome.kind === 'present') terminal.err('this machine was set up before; its files stay as they are')
  return outcome.kind === 'installed'
}

async function reboot(terminal: Terminal, host: Host, config: string, mayReboot: boolean): Promise<void> {
  if (!mayReboot) return terminal.out(`a reboot completes the installation to ${config}`)
  terminal.out(`rebooting to complete the installation to ${config}`)
  await host.power.reboot(`Completing firstboot provisioning to ${config}`)
}
