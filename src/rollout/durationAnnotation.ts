/** What an annotation says about a duration; neither member when it is not there. */
export interface DurationAnnotation {
  readonly ms?: number
  /** Why the value cannot be read. */
  readonly problem?: string
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 }

/** Durations such as `90s`, `30m`, `2h`. */
export function readDuration(
  annotations: Readonly<Record<string, string>> | undefined,
  key: string,
): DurationAnnotation {
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
