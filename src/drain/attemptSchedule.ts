/**
 * When a drain tries: 90 seconds of attempts, then a minute of rest; five minutes of rest once it has gone on for ten
 * minutes. All of it follows from the start time, so that any process continues where another one stopped.
 */
const attemptMs = 90_000
const restMs = 60_000
const longRestMs = 300_000
export const thresholdMs = 600_000
export const refusalRetryMs = 5_000

export type AttemptPhase =
  | { readonly kind: 'attempt'; readonly number: number; readonly endsMs: number }
  | { readonly kind: 'rest'; readonly number: number; readonly endsMs: number }

/** The phase at `elapsedMs` since the start; attempts count from 1, ends are counted from the start too. */
export function phaseAt(elapsedMs: number): AttemptPhase {
  const elapsed = Math.max(0, elapsedMs)
  // Rests are short while the attempt before them ended within the threshold.
  const shortCycles = Math.floor((thresholdMs - attemptMs) / (attemptMs + restMs)) + 1
  const shortEndMs = shortCycles * (attemptMs + restMs)
  if (elapsed < shortEndMs) return cycleAt(elapsed, 0, 0, restMs)
  return cycleAt(elapsed, shortEndMs, shortCycles, longRestMs)
}

function cycleAt(elapsed: number, baseMs: number, cyclesBefore: number, rest: number): AttemptPhase {
  const cycle = Math.floor((elapsed - baseMs) / (attemptMs + rest))
  const startMs = baseMs + cycle * (attemptMs + rest)
  const number = cyclesBefore + cycle + 1
  if (elapsed < startMs + attemptMs) return { kind: 'attempt', number, endsMs: startMs + attemptMs }
  return { kind: 'rest', number, endsMs: startMs + attemptMs + rest }
}
