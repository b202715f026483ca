/** Exit codes of `mco`; documented in docs/cli.md and in `mco --help`. */
export const exitCodes = {
  ok: 0,
  /** The command ran, and the answer is no: invalid input, a difference, a refused change. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Something outside is missing or broken: a file, the API server, a permission. */
  unavailable: 3,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const

/** A user's mistake or a missing resource: printed as one sentence, never with a stack trace. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number
  constructor(message: string, exitCode: number = exitCodes.failed, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}
