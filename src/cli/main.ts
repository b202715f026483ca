import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { HostError } from '../host/host.ts'
import { applyCommand } from './apply.ts'
import { asCliError } from './connect.ts'
import { convertCommand } from './convert.ts'
import { daemonCommand } from './daemon.ts'
import { diffCommand } from './diff.ts'
import { driftCommand } from './drift.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { hostCommand } from './host.ts'
import { renderCommand } from './render.ts'
import { serverCommand } from './server.ts'
import { statusCommand } from './status.ts'
import { processTerminal, type Terminal } from './terminal.ts'
import { undoCommand } from './undo.ts'
import { upCommand } from './up.ts'
import { validateCommand } from './validate.ts'
import { version } from './version.ts'

/** The `mco` command: one file per verb; this one only puts them together and turns errors into messages and exit codes. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('mco')
    .description(
      'Keeps the operating-system configuration of every Kubernetes node equal to what the MachineConfigs say.',
    )
    .version(version)
    .showHelpAfterError('(mco --help lists the commands)')
    .exitOverride()
    .addHelpText('after', exitCodeHelp)
  for (const command of [
    upCommand,
    statusCommand,
    validateCommand,
    renderCommand,
    diffCommand,
    convertCommand,
    applyCommand,
    undoCommand,
    driftCommand,
    hostCommand,
    daemonCommand,
    serverCommand,
  ]) {
    program.addCommand(command(terminal).exitOverride())
  }
  try {
    await program.parseAsync([...argv])
    return typeof process.exitCode === 'number' ? process.exitCode : exitCodes.ok
  } catch (error) {
    return reportError(asCliError(error), terminal)
  }
}

const exitCodeHelp = `
Exit codes: 0 success; 1 the answer is no (invalid input, a difference found, a change refused); 2 wrong command line;
3 a file, the API server or a permission is missing; 130 interrupted.`

function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof CliError) {
    terminal.err(`${terminal.paint('red', 'error:')} ${error.message}`)
    return error.exitCode
  }
  // What a machine, or the place that the command runs in, is or lacks; the message says it.
  if (error instanceof HostError) {
    terminal.err(`${terminal.paint('red', 'error:')} ${error.message}`)
    return exitCodes.unavailable
  }
  terminal.err(
    `${terminal.paint('red', 'internal error:')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  terminal.err('This is a bug in mco; please report it with the lines above.')
  return exitCodes.failed
}

process.exitCode = await main(process.argv, processTerminal())
