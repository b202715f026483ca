/**
 * Lines on their way to one reader. The writer never waits: a reader that falls too far behind loses the stream (and
 * resumes from its last resourceVersion), so that one slow watch cannot hold memory for all. What the stream opens with
 * is made line by line as the reader takes it: it may be larger than all that may wait.
 */
export class LineStream implements AsyncIterable<Uint8Array> {
  readonly #maxPendingBytes: number
  readonly #chunkBytes: number
  readonly #onEnd: () => void
  #opening: Iterator<Uint8Array> | undefined
  #pending: (Uint8Array | undefined)[] = []
  #next = 0
  #pendingBytes = 0
  #ended = false
  #wake: (() => void) | undefined

  /** Fewer bytes may wait than a collection remembers: whoever falls behind can still resume. */
  constructor(
    onEnd: () => void,
    {
      opening = [],
      maxPendingBytes = 16 * 1024 * 1024,
      chunkBytes = 256 * 1024,
    }: { opening?: Iterable<Uint8Array>; maxPendingBytes?: number; chunkBytes?: number } = {},
  ) {
    this.#onEnd = onEnd
    this.#opening = opening[Symbol.iterator]()
    this.#maxPendingBytes = maxPendingBytes
    this.#chunkBytes = chunkBytes
  }

  get ended(): boolean {
    return this.#ended
  }

  push(line: Uint8Array): void {
    if (this.#ended) return
    this.#pendingBytes += line.length
    if (this.#pendingBytes > this.#maxPendingBytes) {
      this.#drop()
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
      this.#drop()
      this.end()
    }
  }

  /** Lines are shared between streams, chunks are not: a chunk is no larger than it must be. */
  #take(): Uint8Array | undefined {
    const lines: Uint8Array[] = []
    for (let size = 0; size < this.#chunkBytes; ) {
      const line = this.#takeLine()
      if (!line) break
      lines.push(line)
      size += line.length
    }
    return lines.length > 1 ? Buffer.concat(lines) : lines[0]
  }

  #takeLine(): Uint8Array | undefined {
    const first = this.#opening?.next()
    if (first && !first.done) return first.value
    this.#opening = undefined
    const line = this.#pending[this.#next]
    if (!line) {
      this.#pending = []
      this.#next = 0
      return undefined
    }
    this.#pending[this.#next] = undefined
    this.#next += 1
    this.#pendingBytes -= line.length
    return line
  }

  #drop(): void {
    this.#opening = undefined
    this.#pending = []
    this.#next = 0
    this.#pendingBytes = 0
  }

  #wakeReader(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
