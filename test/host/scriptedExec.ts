import type { CommandResult, Exec, HostCommand } from '../../src/host/exec.ts'

export interface ScriptedExec extends Exec {
  /** What was run so far, one line each; input follows `<`. */
  readonly ran: string[]
  /** Locks that are held now. */
  readonly held: Set<string>
}

type Recorded = string | Partial<CommandResult> | Error
type Answer = Recorded | (() => Recorded)

/** Answers recorded output by command line; a line that is not in the script succeeds with no output. */
export function scriptedExec(script: Readonly<Record<string, Answer>> = {}): ScriptedExec {
  const ran: string[] = []
  const held = new Set<string>()
  return {
    ran,
    held,
    async run(command) {
      const line = lineOf(command)
      ran.push(line)
      const entry = script[line] ?? ''
      const answer = typeof entry === 'function' ? entry() : entry
      if (answer instanceof Error) throw answer
      const result = typeof answer === 'string' ? { stdout: answer } : answer
      return { code: 0, stdout: '', stderr: '', ...result }
    },
    async hold(command) {
      const line = lineOf(command)
      ran.push(line)
      const answer = script[line]
      if (answer instanceof Error) throw answer
      held.add(line)
      return {
        async stop() {
          held.delete(line)
        },
      }
    },
  }
}

const lineOf = ({ program, args, input }: HostCommand): string =>
  [program, ...args].join(' ') + (input === undefined ? '' : ` < ${input.trim()}`)
