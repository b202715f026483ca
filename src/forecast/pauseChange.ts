import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import {
  isTime,
  pauseAnnotations,
  pausedAtAnnotation,
  pausedByAnnotation,
  pauseOf,
  pauseReasonAnnotation,
  pauseThenAnnotation,
  pauseThenResume,
  pauseUntilAnnotation,
} from './pauseRecord.ts'

/** What a person asks for; a member that is absent leaves an earlier pause's value as it is. */
export interface PauseRequest {
  readonly by: string
  readonly reason: string
  /** A time of RFC 3339 or a duration such as `90m`, `8h`, `7d`. */
  readonly until?: string
  /** Resume by itself at `until`. */
  readonly thenResume?: boolean
}

export type PauseChange =
  | {
      readonly kind: 'change'
      /** A JSON merge patch of the pool. */
      readonly body: PausePatch
      /** It was paused before: only what is recorded about it changes. */
      readonly wasPaused: boolean
      readonly until?: string
    }
  | { readonly kind: 'refused'; readonly message: string }

interface PausePatch {
  readonly metadata: { readonly annotations: Readonly<Record<string, string | null>> }
  readonly spec: { readonly paused: boolean }
}

/** Pauses a pool and records who, since when, why and until when. The first pauser of a paused pool stays on record. */
export function pauseChange(pool: MachineConfigPool, request: PauseRequest, now: Date): PauseChange {
  const earlier = pauseOf(pool)
  const end = request.until === undefined ? { until: earlier?.until } : endOf(request.until, now)
  if ('problem' in end) return { kind: 'refused', message: end.problem }
  const { until } = end
  const thenResume = request.thenResume ?? earlier?.resumesByItself ?? false
  if (thenResume && until === undefined) {
    return { kind: 'refused', message: 'to resume by itself the pause needs an end; add --until' }
  }
  const annotations = {
    [pausedByAnnotation]: earlier?.by ?? request.by,
    [pausedAtAnnotation]: earlier?.since ?? seconds(now),
    [pauseReasonAnnotation]: request.reason,
    [pauseUntilAnnotation]: until ?? null,
    [pauseThenAnnotation]: thenResume ? pauseThenResume : null,
  }
  return {
    kind: 'change',
    body: { metadata: { annotations }, spec: { paused: true } },
    wasPaused: earlier !== undefined,
    ...(until !== undefined && { until }),
  }
}

/** Resumes a pool; what was recorded about the pause goes with it, so that it is not believed of the next one. */
export const resumePatch: PausePatch = {
  metadata: { annotations: Object.fromEntries(pauseAnnotations.map((key) => [key, null])) },
  spec: { paused: false },
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function endOf(text: string, now: Date): { readonly until: string } | { readonly problem: string } {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  if (ms > 0) return { until: seconds(new Date(now.getTime() + ms)) }
  if (!isTime(text)) {
    return { problem: `--until "${text}" is no time and no duration; write 2026-01-31T08:00:00Z, 90m, 8h or 7d` }
  }
  if (Date.parse(text) <= now.getTime()) {
    return { problem: `--until ${text} is in the past; it is ${seconds(now)} now` }
  }
  return { until: seconds(new Date(text)) }
}

const seconds = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`
