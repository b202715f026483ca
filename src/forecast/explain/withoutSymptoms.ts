import type { Finding } from '../finding.ts'

/** What follows by itself from a cause of the same subject, by code. */
const follows: Readonly<Record<string, readonly string[]>> = {
  // The daemon cannot read its config and says so.
  MissingRenderedConfig: ['UpdateFailed', 'NodeDegraded', 'DaemonSilent', 'NodeSlow'],
  RebootOverdue: ['NodeNotReady', 'DaemonNotRunning', 'DaemonSilent', 'NodeSlow'],
  DaemonNotRunning: ['DaemonNeverReported', 'DaemonSilent', 'NodeSlow'],
  // A node without its kubelet has no daemon that answers.
  NodeNotReady: ['DaemonSilent', 'NodeSlow', 'DaemonNotRunning', 'DaemonNeverReported'],
  CustomRoleConflict: ['DaemonNeverReported'],
  InvalidMaxUnavailable: ['CapacityUsedUp'],
  PausedWithBacklog: ['CapacityUsedUp'],
  RenderFailed: ['RenderWaiting'],
  ControllersNotRunning: ['RenderWaiting', 'DrainNotStarted'],
}

/** A config that a node only comes from keeps its daemon from nothing. */
const hasSymptoms = ({ code, severity }: Finding): boolean =>
  code !== 'MissingRenderedConfig' || severity === 'critical'

/** Leaves out what a reader would only find on the way back to a cause that is already named. */
export function withoutSymptoms(findings: readonly Finding[]): readonly Finding[] {
  const explained = new Set(
    findings
      .filter(hasSymptoms)
      .flatMap(({ code, subject }) =>
        (follows[code] ?? []).map((symptom) => `${symptom} ${subject.kind}/${subject.name}`),
      ),
  )
  return findings.filter(({ code, subject }) => !explained.has(`${code} ${subject.kind}/${subject.name}`))
}
