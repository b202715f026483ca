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
  const timeout = read(annotations, drainTimeoutAnnotation)
  const force = read(annotations, drainForceAfterAnnotation)
  return {
    timeoutMs: timeout.ms ?? defaultDrainPolicy.timeoutMs,
    ...(force.ms !== undefined && { forceAfterMs: force.ms }),
    problems: [timeout.problem, force.problem].filter((problem) => problem !== undefined),
  }
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: hourMs }

function read(
  annotations: Readonly<Record<string, string>> | undefined,
  key: string,
): { readonly ms?: number; readonly problem?: string } {
  const text = annotations?.[key]
  if (text === undefined) return {}
  const parts = /^(\d{1,6})([smh])$/.exec(text)
  const unit = unitMs[parts?.[2] ?? '']
  const count = Number(parts?.[1] ?? 0)
  if (!unit || count === 0) {
    return { problem: `${key}: "${text}" is no duration; write a number above 0 and one of s, m, h, such as 30m` }
  }
  return { ms: count * unit }
}
