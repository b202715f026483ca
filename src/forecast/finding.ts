/** `info`: worth knowing; `warning`: somebody should act; `critical`: something is lost soon, or already stands still. */
export type FindingSeverity = 'info' | 'warning' | 'critical'

/** What a finding is about, as the command line names it: `node/w-1`, `mcp/worker`, `mc/99-chrony`. */
export interface FindingSubject {
  readonly kind: 'node' | 'mcp' | 'mc'
  readonly name: string
}

/** One fact of the cluster that a finding rests on, so that it can be checked again. Never contents of files. */
export interface Evidence {
  /** The object, as `kind/name` or `kind/namespace/name`. */
  readonly object: string
  /** Where in it, e.g. `status.disruptionsAllowed`. */
  readonly path: string
  readonly value: string
}

/** One answer to "why": a cause, not a symptom, with what a person can do about it. */
export interface Finding {
  /** A stable word for programs, such as `DrainBlockedByBudget`. */
  readonly code: string
  readonly severity: FindingSeverity
  readonly subject: FindingSubject
  /** RFC 3339: since when, where the cluster remembers it. */
  readonly since?: string
  /** What is the matter, in one sentence. */
  readonly what: string
  /** Why it is so: the rule and the numbers that it was applied to. */
  readonly why: string
  /** What to do, as precisely as a command where there is one. */
  readonly remedy: string
  /** The command that `remedy` speaks of, complete: present where running it as it is cures the cause. */
  readonly command?: string
  readonly evidence: readonly Evidence[]
}
