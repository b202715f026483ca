import { type LabelQuery, parseLabelSelector } from '../api/selectors.ts'
import { readDuration } from '../rollout/durationAnnotation.ts'
import {
  drainForceAfterAnnotation,
  drainGracePeriodAnnotation,
  drainSkipSelectorAnnotation,
  drainTimeoutAnnotation,
} from './drainAnnotations.ts'

/** How patient the drains of a pool's nodes are, and whom they spare. */
export interface DrainPolicy {
  /** After this the drain counts as failed: an event, a metric. It goes on all the same. */
  readonly timeoutMs: number
  /** After this, pods that a PodDisruptionBudget protects are deleted. Never, unless the pool says so. */
  readonly forceAfterMs?: number
  /** Instead of each pod's own grace period. */
  readonly gracePeriodSeconds?: number
  /** Pods that are left alone. */
  readonly skip?: LabelQuery
  /** Why no pod may be evicted at all: whom to spare cannot be read. */
  readonly hold?: string
  /** Values that could not be read, `hold` among them; the defaults hold for the others. */
  readonly problems: readonly string[]
}

const hourMs = 3_600_000

const defaultDrainPolicy: DrainPolicy = { timeoutMs: hourMs, problems: [] }

/**
 * Reads a pool's annotations. An unreadable value never makes a drain less careful: durations fall back to the defaults, and
 * without a readable skip selector nobody is evicted, since the very pods that were to be spared might go.
 */
export function drainPolicyOf(annotations: Readonly<Record<string, string>> | undefined): DrainPolicy {
  const timeout = readDuration(annotations, drainTimeoutAnnotation)
  const force = readDuration(annotations, drainForceAfterAnnotation)
  const grace = readDuration(annotations, drainGracePeriodAnnotation)
  const skip = readSelector(annotations)
  return {
    timeoutMs: timeout.ms ?? defaultDrainPolicy.timeoutMs,
    ...(force.ms !== undefined && { forceAfterMs: force.ms }),
    ...(grace.ms !== undefined && { gracePeriodSeconds: grace.ms / 1000 }),
    ...(skip.value && { skip: skip.value }),
    ...(skip.problem !== undefined && { hold: skip.problem }),
    problems: [timeout.problem, force.problem, grace.problem, skip.problem].filter((problem) => problem !== undefined),
  }
}

/** An empty text would select every pod: nothing would ever be drained, which nobody means. */
function readSelector(annotations: Readonly<Record<string, string>> | undefined): {
  readonly value?: LabelQuery
  readonly problem?: string
} {
  const text = annotations?.[drainSkipSelectorAnnotation]
  if (text === undefined) return {}
  const example = 'write a label selector such as app=database,tier in (a,b); no pod is evicted before it can be read'
  if (text.trim() === '') return { problem: `${drainSkipSelectorAnnotation}: "" selects every pod; ${example}` }
  const parsed = parseLabelSelector(text)
  if ('value' in parsed) return { value: parsed.value }
  return { problem: `${drainSkipSelectorAnnotation}: "${text}": ${parsed.error}; ${example}` }
}
