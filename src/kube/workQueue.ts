import type { Clock } from './clock.ts'

export interface WorkQueueOptions {
  readonly clock: Clock
  /** Back-off of the n-th failure in a row of one key: base doubled n-1 times, capped. */
  readonly baseDelayMs?: number
  readonly maxDelayMs?: number
}

/** Node's timers fire at once above 2^31-1 ms; a key that looks again too early does no harm. */
const longestSleepMs = 24 * 3600 * 1000

/** The reason of a cancelled wait; one object, because an abort without a reason makes an error with a stack each time. */
const notAwaited = new Error('the key is not waited for any more')

/**
 * Keys that must be looked at. A key waits at most once, is never handed out twice at the same time, and is handed out
 * again after `done` if it was added meanwhile. First in, first out: no key can keep another from its turn.
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #baseDelayMs: number
  readonly #maxDelayMs: number
  /** Ready keys with the time since when, in order of arrival. */
  readonly #ready = new Map<string, number>()
  readonly #busy = new Set<string>()
  /** Added while busy: ready again as soon as they are done. */
  readonly #again = new Set<string>()
  readonly #delayed = new Map<string, { readonly dueMs: number; readonly cancel: AbortController }>()
  readonly #failures = new Map<string, number>()
  readonly #takers: ((key: string | undefined) => void)[] = []
  #isClosed = false

  constructor({ clock, baseDelayMs = 5, maxDelayMs = 1000_000 }: WorkQueueOptions) {
    this.#clock = clock
    this.#baseDelayMs = baseDelayMs
    this.#maxDelayMs = maxDelayMs
  }

  /** Keys that are ready and not handed out. */
  get depth(): number {
    return this.#ready.size
  }

  /** How long the key at the head has been ready. */
  get oldestAgeMs(): number {
    for (const sinceMs of this.#ready.values()) return this.#nowMs() - sinceMs
    return 0
  }

  add(key: string): void {
    if (this.#isClosed || this.#ready.has(key)) return
    if (this.#busy.has(key)) {
      this.#again.add(key)
      return
    }
    this.#ready.set(key, this.#nowMs())
    this.#serve()
  }

  /** The earliest of several times wins; being handed out for another reason cancels it. */
  addAt(key: string, at: Date): void {
    const dueMs = at.getTime()
    const waitMs = dueMs - this.#nowMs()
    if (waitMs <= 0) {
      this.add(key)
      return
    }
    const known = this.#delayed.get(key)
    if (this.#isClosed || this.#ready.has(key) || (known && known.dueMs <= dueMs)) return
    known?.cancel.abort(notAwaited)
    const cancel = new AbortController()
    this.#delayed.set(key, { dueMs, cancel })
    this.#clock.sleep(Math.min(waitMs, longestSleepMs), cancel.signal).then(
      () => {
        this.#delayed.delete(key)
        this.add(key)
      },
      (error: unknown) => {
        if (!cancel.signal.aborted) throw error
      },
    )
  }

  addAfter(key: string, delayMs: number): void {
    this.addAt(key, new Date(this.#nowMs() + delayMs))
  }

  /** Counts a failure of the key and adds it after its back-off, or after `atLeastMs`. Returns the delay. */
  addBackedOff(key: string, atLeastMs = 0): number {
    const failures = this.#failures.get(key) ?? 0
    this.#failures.set(key, failures + 1)
    const delayMs = Math.max(atLeastMs, Math.min(this.#baseDelayMs * 2 ** Math.min(failures, 40), this.#maxDelayMs))
    this.addAfter(key, delayMs)
    return delayMs
  }

  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0
  }

  /** The key succeeded: its next failure counts as the first. */
  forget(key: string): void {
    this.#failures.delete(key)
  }

  /** The next key; `undefined` when the queue is closed. Each key taken must be given back with `done`. */
  async take(): Promise<string | undefined> {
    if (this.#isClosed) return undefined
    return await new Promise((resolve) => {
      this.#takers.push(resolve)
      this.#serve()
    })
  }

  done(key: string): void {
    this.#busy.delete(key)
    if (this.#again.delete(key)) this.add(key)
  }

  /** Nothing is handed out any more; what is being worked on goes on. */
  close(): void {
    this.#isClosed = true
    for (const { cancel } of this.#delayed.values()) cancel.abort(notAwaited)
    this.#delayed.clear()
    this.#ready.clear()
    this.#again.clear()
    for (const taker of this.#takers.splice(0)) taker(undefined)
  }

  #serve(): void {
    for (const key of this.#ready.keys()) {
      const taker = this.#takers.shift()
      if (!taker) return
      this.#ready.delete(key)
      this.#busy.add(key)
      this.#delayed.get(key)?.cancel.abort(notAwaited)
      this.#delayed.delete(key)
      taker(key)
    }
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}
