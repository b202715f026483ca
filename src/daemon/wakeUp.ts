import type { Clock } from '../kube/clock.ts'

/** A bell for one loop: rings that come while nobody waits are remembered as one. */
export interface WakeUp {
  ring(): void
  /** Returns at a ring, at `at`, or when the signal aborts. */
  wait(at: Date | undefined, signal: AbortSignal): Promise<void>
}

export function wakeUp(clock: Clock): WakeUp {
  let rung = false
  let ring = (): void => {
    rung = true
  }
  const remember = ring
  return {
    ring: () => ring(),
    async wait(at, signal) {
      if (rung || signal.aborted) {
        rung = false
        return
      }
      const ended = new AbortController()
      const heard = new Promise<void>((resolve) => {
        ring = resolve
        signal.addEventListener('abort', () => resolve(), { signal: ended.signal })
      })
      const timed = at && clock.sleep(Math.max(0, at.getTime() - clock.now().getTime()), ended.signal)
      try {
        await Promise.race([heard, ...(timed ? [timed] : [])])
      } finally {
        ring = remember
        // Ends the sleep that lost; nobody else waits for it.
        timed?.catch(() => undefined)
        ended.abort()
      }
    },
  }
}
