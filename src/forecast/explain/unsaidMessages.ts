import type { Finding } from '../finding.ts'

/** Which sentences of the status a finding says better, by code, where it does not repeat them word by word. */
const better: Readonly<Record<string, RegExp>> = {
  NodeCordoned: /reporting Unschedulable; it counts as unavailable|was cordoned by somebody else/,
  NodeNotReady: /it counts as unavailable$|it moves when it is ready again$/,
  PausedWithBacklog: /^(?:the )?pool is paused;/i,
  DrainBlockedByBudget: /^pod \S+ cannot be evicted: PodDisruptionBudget|^and \d+ more pods/,
  DrainBlockedBySeveralBudgets: /^pod \S+ cannot be evicted: \d+ PodDisruptionBudgets/,
  PodStuckTerminating: /^pod \S+ (?:has ended|was to end by)/,
  ConfigDrift: /^put it back, or create /,
  NodeWithoutPool: /^no pool selects this node/,
  DaemonNeverReported: /^no node daemon has reported from here/,
  NodeDegraded: /^it gives no reason$/,
}

/** The messages about a subject that its findings leave open, so that nothing is said twice. */
export function unsaidMessages(messages: readonly string[], findings: readonly Finding[]): readonly string[] {
  return messages.filter(
    (message) => !findings.some(({ code, what }) => what.includes(message) || better[code]?.test(message) === true),
  )
}
