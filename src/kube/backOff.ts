/** A number in [0, 1), as a port: tests hand in a constant. */
export type Random = () => number

export interface BackOff {
  readonly baseMs: number
  readonly capMs: number
}

/**
 * Doubled per attempt (counting from 1), capped, and spread over half to one and a half of that, so that a thousand
 * peers that lost the same server do not come back in step.
 */
export function backOffMs(attempt: number, { baseMs, capMs }: BackOff, random: Random): number {
  const doubled = baseMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 40)
  return Math.round(Math.min(doubled, capMs) * (0.5 + random()))
}
