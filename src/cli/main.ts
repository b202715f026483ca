import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { UnusableConfig } from '../daemon/unusableConfig.ts'
import { HostError } from '../host/host.ts'
import { stopOnBrokenPipe } from './brokenPipe.ts'
import { asCliError } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { processTerminal, type Terminal } from './terminal.ts'
import { version } from './version.ts'

/** In the order of the help. Loaded when asked for: a daemon should not hold in memory what other verbs need. */
const verbs: Readonly<Record<string, (terminal: Terminal) => Promise<Command>>> = {
  up: async (terminal) => (await import('./up.ts')).upCommand(terminal),
  status: async (terminal) => (await import('./status.ts')).statusCommand(terminal),
  wait: async (terminal) => (await import('./wait.ts')).waitCommand(terminal),
  explain: async (terminal) => (await import('./explain.ts')).explainCommand(terminal),
  history: async (terminal) => (await import('./history.ts')).historyCommand(terminal),
  rollback: async (terminal) => (await import('./rollback.ts')).rollbackCommand(terminal),
  plan: async (terminal) => (await import('./plan.ts')).planCommand(terminal),
  pause: async (terminal) => (await import('./pause.ts')).pauseCommand(terminal),
  resume: async (terminal) => (await import('./resume.ts')).resumeCommand(terminal),
  validate: async (terminal) => (await import('./validate.ts')).validateCommand(terminal),
  render: async (terminal) => (await import('./render.ts')).renderCommand(terminal),
  diff: async (terminal) => (await import('./diff.ts')).diffCommand(terminal),
  convert: async (terminal) => (await import('./convert.ts')).convertCommand(terminal),
  apply: async (terminal) => (await import('./apply.ts')).applyCommand(terminal),
  undo: async (terminal) => (await import('./undo.ts')).undoCommand(terminal),
  drift: async (terminal) => (await import('./drift.ts')).driftCommand(terminal),
  host: async (terminal) => (await import('./host.ts')).hostCommand(terminal),
  firstboot: async (terminal) => (await import('./firstboot.ts')).firstbootCommand(terminal),
  daemon: async () => (await import('./daemon.ts')).daemonCommand(),
  pointer: async (terminal) => (await import('./pointer.ts')).pointerCommand(terminal),
  token: async (terminal) => (await import('./token.ts')).tokenCommand(terminal),
  server: async () => (await import('./server.ts')).serverCommand(),
}

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
  const [, , asked = ''] = argv
  for (const [name, load] of Object.entries(verbs))
    if (name === asked || !Object.hasOwn(verbs, asked)) program.addCommand((await load(terminal)).exitOverride())
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
  if (error instanceof HostError || error instanceof UnusableConfig) {
    terminal.err(`${terminal.paint('red', 'error:')} ${error.message}`)
    return exitCodes.unavailable
  }
  terminal.err(
    `${terminal.paint('red', 'internal error:')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  )
  terminal.err('This is a bug in mco; please report it with the lines above.')
  return exitCodes.failed
}

stopOnBrokenPipe()
process.exitCode = await main(process.argv, processTerminal())
