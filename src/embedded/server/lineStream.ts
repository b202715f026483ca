/**
 * Lines on their way to one reader. The writer never waits: a reader that falls too far behind loses the stream (and
 * resumes from its last resourceVersion), so that one slow watch cannot hold memory for all.
 */
export class LineStream implements AsyncIterable<Uint8Array> {
  readonly #maxPendingBytes: number
  readonly #onEnd: () => void
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #ended = false
  #wake: (() => void) | undefined

  constructor(onEnd: () => void, { maxPendingBytes = 64 * 1024 * 1024 }: { maxPendingBytes?: number } = {}) {
    this.#onEnd = onEnd
    this.#maxPendingBytes = maxPendingBytes
  }

  get ended(): boolean {
    return this.#ended
  }

  push(line: Uint8Array): void {
    if (this.#ended) return
    this.#pendingBytes += line.length
    if (this.#pendingBytes > this.#maxPendingBytes) {
      this.#pending = []
      this.end()
      return
    }
    this.#pending.push(line)
    this.#wakeReader()
  }

  /** What was pushed before is still delivered. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#onEnd()
    this.#wakeReader()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#take()
        if (chunk) yield chunk
        else if (this.#ended) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.end()
    }
  }

  #take(): Uint8Array | undefined {
    const lines = this.#pending
    if (lines.length === 0) return undefined
    this.#pending = []
    this.#pendingBytes = 0
    return lines.length === 1 ? lines[0] : Buffer.concat(lines)
  }

  #wakeReader(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
