/** So many keys are worked on at once: their writes share one commit. */
const batchSize = 100

/**
 * Works off keys in batches, each key at most once while it waits. A failure is told to `onFault`; the key comes again
 * with the next change that concerns it.
 */
export class BackgroundLoop {
  readonly #work: (key: string) => Promise<void>
  readonly #onFault: (error: unknown) => void
  readonly #waiting = new Set<string>()
  #running: Promise<void> | undefined
  #stopped = false

  constructor(work: (key: string) => Promise<void>, onFault: (error: unknown) => void) {
    this.#work = work
    this.#onFault = onFault
  }

  add(key: string): void {
    if (this.#stopped) return
    this.#waiting.add(key)
    this.#running ??= this.#run()
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#waiting.clear()
    await this.idle()
  }

  async #run(): Promise<void> {
    // Not in the step of whoever added the key: it is in the middle of publishing a change.
    await new Promise(setImmediate)
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, batchSize)
      for (const key of batch) this.#waiting.delete(key)
      await Promise.all(batch.map((key) => this.#work(key).catch(this.#onFault)))
    }
    this.#running = undefined
  }
}
