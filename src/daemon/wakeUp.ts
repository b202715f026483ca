import type { Clock } from '../kube/clock.ts'

/** A bell for one loop: rings that come while nobody waits are remembered as one. */
export interface WakeUp {
  ring(): void
  /** Returns at a ring or at `at`. Ending the loop is a ring too. */
  wait(at: Date | undefined): Promise<void>
}

/** The reason of a sleep that lost against a ring; one object, because an abort without a reason makes an error each time. */
const rungFirst = new Error('the bell rang first')

export function wakeUp(clock: Clock): WakeUp {
  let rung = false
  let ring = (): void => {
    rung = true
  }
  const remember = ring
  return {
    ring: () => ring(),
    async wait(at) {
      if (rung) {
        rung = false
        return
      }
      const ended = new AbortController()
      const heard = new Promise<void>((resolve) => {
        ring = () => {
          resolve()
          ended.abort(rungFirst)
        }
      })
      try {
        await (at ? Promise.race([heard, sleepUntil(at, ended.signal)]) : heard)
      } finally {
        ring = remember
      }
    },
  }

  async function sleepUntil(at: Date, signal: AbortSignal): Promise<void> {
    try {
      await clock.sleep(Math.max(0, at.getTime() - clock.now().getTime()), signal)
    } catch (error) {
      if (error !== rungFirst) throw error
    }
  }
}
