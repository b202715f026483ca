import { HostError } from './host.ts'

/** One program on the host, with its arguments as they are: there is never a shell in between. */
export interface HostCommand {
  readonly program: string
  readonly args: readonly string[]
  /** Given on standard input: the place for what must not show in the list of processes. */
  readonly input?: string
  readonly timeoutMs?: number
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program on the host. An exit code other than zero is an answer; not being able to run it is a `HostError`. */
export interface Exec {
  run(command: HostCommand): Promise<CommandResult>
  /**
   * Starts a program that stays, and resolves when it has sent back what it was given (`cat` does). It ends with `stop`,
   * and by itself when this process dies, because its input ends then.
   */
  hold(command: HostCommand): Promise<HeldCommand>
}

export interface HeldCommand {
  stop(): Promise<void>
}

/** What a program printed, when it succeeded; otherwise an error that says what it said. */
export async function runOrFail(exec: Exec, command: HostCommand): Promise<string> {
  const { code, stdout, stderr } = await exec.run(command)
  if (code === 0) return stdout
  throw commandFailed(command, code, stderr.trim() || stdout.trim())
}

export function commandFailed({ program, args }: HostCommand, code: number, said: string): HostError {
  const words = said === '' ? '' : `: ${shorten(said, maxMessageLength)}`
  return new HostError('ECOMMAND', program, `${[program, ...args].join(' ')} ended with exit code ${code}${words}`)
}

const maxMessageLength = 600

/** `abcde` at 3 is `abc [2 more chars]`: the start of a message is where the cause is. */
function shorten(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  return `${characters.slice(0, length).join('')} [${characters.length - length} more chars]`
}
