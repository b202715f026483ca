import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { isOverdue, pauseAnnotations, pausedAtAnnotation, pauseOf } from './pauseRecord.ts'

export type PauseEnd =
  | { readonly kind: 'nothing' }
  /** Look again then. */
  | { readonly kind: 'later'; readonly at: Date }
  /** The end has passed and nobody asked for more than to be told. */
  | { readonly kind: 'overdue'; readonly until: string }
  /** The end has passed, and the pool is to resume by itself. */
  | { readonly kind: 'resume'; readonly until: string; readonly by: string }
  /** The pool is not paused any more: what was recorded would be believed of its next pause. */
  | { readonly kind: 'forget' }

/** What the end of a pause asks for. A pool resumes by itself only when its annotations ask for it. */
export function decidePauseEnd(pool: MachineConfigPool, now: Date): PauseEnd {
  const pause = pauseOf(pool)
  if (!pause) {
    const { annotations = {} } = pool.metadata
    // Reason and end may be written before the pause; only the pause itself writes its own time.
    return annotations[pausedAtAnnotation] === undefined ? { kind: 'nothing' } : { kind: 'forget' }
  }
  const { until, by = 'nobody on record', resumesByItself } = pause
  if (until === undefined) return { kind: 'nothing' }
  if (!isOverdue(pause, now)) return { kind: 'later', at: new Date(until) }
  return resumesByItself ? { kind: 'resume', until, by } : { kind: 'overdue', until }
}

/** A merge patch that removes every record of a pause. */
export const forgetPatch = {
  metadata: { annotations: Object.fromEntries(pauseAnnotations.map((key) => [key, null])) },
} as const
