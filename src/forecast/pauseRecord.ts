import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { fieldOwner } from './fieldOwner.ts'

/** On a MachineConfigPool: who paused it, written together with `spec.paused`. */
export const pausedByAnnotation = 'machineconfig.io/paused-by'
/** RFC 3339. */
export const pausedAtAnnotation = 'machineconfig.io/paused-at'
export const pauseReasonAnnotation = 'machineconfig.io/pause-reason'
/** RFC 3339: until when the pause is meant to last. */
export const pauseUntilAnnotation = 'machineconfig.io/pause-until'
/** `resume`: at `pause-until` the pool resumes by itself. Nothing else ever resumes a pool. */
export const pauseThenAnnotation = 'machineconfig.io/pause-then'
export const pauseThenResume = 'resume'

/** All of them: a pool that is not paused has none. */
export const pauseAnnotations = [
  pausedByAnnotation,
  pausedAtAnnotation,
  pauseReasonAnnotation,
  pauseUntilAnnotation,
  pauseThenAnnotation,
] as const

/** What is known of a pause. Every member but the last two is absent when nobody recorded it. */
export interface PauseRecord {
  readonly by?: string
  /** RFC 3339. */
  readonly since?: string
  readonly reason?: string
  /** RFC 3339. */
  readonly until?: string
  /** Why `pause-until` or `paused-at` cannot be read. */
  readonly problem?: string
  /** At `until` the pool resumes by itself, because that was asked for. */
  readonly resumesByItself: boolean
  /** Where `by` and `since` come from. */
  readonly source: 'annotations' | 'managedFields' | 'nobody'
}

/**
 * Who paused a pool, since when, why and until when; undefined for a pool that is not paused. Annotations that an earlier
 * pause left behind are not believed: the API server remembers who set `spec.paused` since.
 */
export function pauseOf(pool: MachineConfigPool): PauseRecord | undefined {
  if (!pool.spec.paused) return undefined
  const owner = fieldOwner(pool, ['spec', 'paused'])
  const annotations = isOfEarlierPause(pool) ? {} : (pool.metadata.annotations ?? {})
  const [by, at] = [annotations[pausedByAnnotation], annotations[pausedAtAnnotation]]
  const [reason, until] = [annotations[pauseReasonAnnotation], annotations[pauseUntilAnnotation]]
  const isRecorded = by !== undefined || at !== undefined
  const since = isTime(at) ? at : owner?.time
  const who = by ?? owner?.manager
  const problem = unreadable(pausedAtAnnotation, at) ?? unreadable(pauseUntilAnnotation, until)
  return {
    ...(who && { by: who }),
    ...(since && { since }),
    ...(reason && { reason }),
    ...(isTime(until) && { until }),
    ...(problem && { problem }),
    resumesByItself: isTime(until) && annotations[pauseThenAnnotation] === pauseThenResume,
    source: isRecorded ? 'annotations' : owner ? 'managedFields' : 'nobody',
  }
}

/** The time that was meant as the end of the pause has passed. */
export const isOverdue = ({ until }: Pick<PauseRecord, 'until'>, now: Date): boolean =>
  until !== undefined && Date.parse(until) <= now.getTime()

/** The clocks of a client and of the API server need not agree better than this. */
const toleranceMs = 60_000

function isOfEarlierPause(pool: MachineConfigPool): boolean {
  const at = pool.metadata.annotations?.[pausedAtAnnotation]
  const paused = fieldOwner(pool, ['spec', 'paused'])
  const noted = fieldOwner(pool, ['metadata', 'annotations', pausedAtAnnotation])
  if (!isTime(at) || !paused?.time || paused.manager === noted?.manager) return false
  const writtenMs = Math.max(Date.parse(at), Date.parse(noted?.time ?? at))
  return Date.parse(paused.time) > writtenMs + toleranceMs
}

/** RFC 3339 with a date, a time and a zone: what `Date` alone takes may mean another day in another zone. */
export const isTime = (text: string | undefined): text is string =>
  text !== undefined &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
  !Number.isNaN(Date.parse(text))

function unreadable(key: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const shown: string = value.slice(0, 60)
  if (isTime(value)) return undefined
  return `annotation ${key} is ${JSON.stringify(shown)}, expected a time such as 2026-01-31T08:00:00Z`
}
