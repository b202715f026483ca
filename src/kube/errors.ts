import type { Issue } from '../ignition/issues.ts'

/**
 * What happens next after a failure. The controller loop branches on these classes, never on message text; an error of
 * any other class is our own bug and is counted apart.
 */

/** The world was busy or away: timeouts, lost connections, 429, 5xx, conflicts. The loop backs off and tries again. */
export class Retryable extends Error {
  override readonly name = 'Retryable'
}

/** Something else must happen first. The loop looks again at `at`; the object's condition shows `reason`. */
export class Waiting extends Error {
  override readonly name = 'Waiting'
  readonly at: Date
  readonly reason: string
  constructor(at: Date, reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.at = at
    this.reason = reason
  }
}

/** A person must act. Nothing is tried again until the object changes. */
export class Terminal extends Error {
  override readonly name = 'Terminal'
  readonly reason: string
  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The user's input is wrong; every issue is reported, never only the first. */
export class Invalid extends Error {
  override readonly name = 'Invalid'
  readonly issues: readonly Issue[]
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super(issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '), options)
    this.issues = issues
  }
}

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
