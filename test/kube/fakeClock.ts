import type { Clock } from '../../src/kube/clock.ts'

interface Sleeper {
  readonly dueMs: number
  readonly wake: () => void
}

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time forward and wakes who is due, in order; what they do next runs before this resolves. */
  advance(ms: number): Promise<void>
  /** Resolves as soon as at least `count` sleepers wait. */
  sleeping(count?: number): Promise<void>
  /** How long each sleeper still has to wait. */
  readonly waits: readonly number[]
}

export function fakeClock(start = new Date('2026-01-01T00:00:00Z')): FakeClock {
  let nowMs = start.getTime()
  const sleepers = new Set<Sleeper>()
  const watchers = new Set<() => void>()

  return {
    now: () => new Date(nowMs),
    get waits() {
      return [...sleepers].map(({ dueMs }) => dueMs - nowMs).sort((a, b) => a - b)
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        const sleeper = {
          dueMs: nowMs + ms,
          wake: () => {
            signal?.removeEventListener('abort', onAbort)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', onAbort, { once: true })
        for (const watcher of watchers) watcher()
      }),
    async advance(ms) {
      const endMs = nowMs + ms
      for (;;) {
        const due = [...sleepers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0]
        if (!due) break
        nowMs = Math.max(nowMs, due.dueMs)
        sleepers.delete(due)
        due.wake()
        await settle()
      }
      nowMs = endMs
      await settle()
    },
    sleeping: (count = 1) =>
      new Promise((resolve) => {
        const check = () => {
          if (sleepers.size < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      }),
  }
}

/** Lets everything run that needs no further input. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
