import type { Clock } from '../kube/clock.ts'
import type { LoopHealth } from './nodeDaemon.ts'

export interface WatchedLoop extends LoopHealth {
  /** Why the process should be restarted; undefined while it works. */
  fault(): string | undefined
}

/**
 * Computed from the loop itself. An API server that is away is no fault of this process; one look at the node that does
 * not end is: the longest one stages an OS image.
 */
export function watchLoop(clock: Clock, { limitMs = 60 * 60_000 }: { readonly limitMs?: number } = {}): WatchedLoop {
  let startedMs: number | undefined
  return {
    started() {
      startedMs = clock.now().getTime()
    },
    ended() {
      startedMs = undefined
    },
    fault() {
      const runningMs = startedMs === undefined ? 0 : clock.now().getTime() - startedMs
      if (runningMs <= limitMs) return undefined
      return `one step of the daemon has been running for ${Math.floor(runningMs / 60_000)} minutes`
    },
  }
}
