import { readDuration } from '../rollout/durationAnnotation.ts'
import { drainForceAfterAnnotation, drainTimeoutAnnotation } from './drainAnnotations.ts'

/** How patient the drains of a pool's nodes are. */
export interface DrainPolicy {
  /** After this the drain counts as failed: an event, a metric. It goes on all the same. */
  readonly timeoutMs: number
  /** After this, pods that a PodDisruptionBudget protects are deleted. Never, unless the pool says so. */
  readonly forceAfterMs?: number
  /** Values that could not be read; the defaults hold for them. */
  readonly problems: readonly string[]
}

const hourMs = 3_600_000

const defaultDrainPolicy: DrainPolicy = { timeoutMs: hourMs, problems: [] }

/** Reads a pool's annotations. An unreadable duration never makes a drain less careful. */
export function drainPolicyOf(annotations: Readonly<Record<string, string>> | undefined): DrainPolicy {
  const timeout = readDuration(annotations, drainTimeoutAnnotation)
  const force = readDuration(annotations, drainForceAfterAnnotation)
  return {
    timeoutMs: timeout.ms ?? defaultDrainPolicy.timeoutMs,
    ...(force.ms !== undefined && { forceAfterMs: force.ms }),
    problems: [timeout.problem, force.problem].filter((problem) => problem !== undefined),
  }
}
