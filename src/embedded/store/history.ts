import type { Entry } from './entry.ts'

/** One committed change of a collection. For `DELETED`, `entry` is the last state stamped with the deletion's revision. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly entry: Entry
  /** The state before; absent on ADDED. */
  readonly previous?: Entry
  readonly revision: number
  readonly atMs: number
}

export interface HistoryLimits {
  readonly changes: number
  readonly ageMs: number
  readonly sizeBytes: number
}

export const defaultHistoryLimits: HistoryLimits = { changes: 10_000, ageMs: 5 * 60_000, sizeBytes: 32 * 1024 * 1024 }

/** The last changes of one collection, oldest first. All changes after `horizon` are present. */
export class History {
  readonly #limits: HistoryLimits
  #changes: (Change | undefined)[] = []
  #start = 0
  #sizeBytes = 0
  #horizon: number

  constructor(horizon: number, limits: HistoryLimits) {
    this.#horizon = horizon
    this.#limits = limits
  }

  /** A reader that has seen this revision or a later one misses nothing. */
  get horizon(): number {
    return this.#horizon
  }

  add(change: Change): void {
    this.#changes.push(change)
    this.#sizeBytes += change.entry.json.length
    this.#dropOld(change.atMs)
  }

  /** Changes with a revision above `revision`, oldest first. The caller has compared `revision` with the horizon. */
  since(revision: number): readonly Change[] {
    let index = this.#changes.length
    while (index > this.#start && (this.#changes[index - 1]?.revision ?? 0) > revision) index -= 1
    return this.#changes.slice(index).filter((change) => change !== undefined)
  }

  #dropOld(nowMs: number): void {
    const { changes, ageMs, sizeBytes } = this.#limits
    for (;;) {
      const oldest = this.#changes[this.#start]
      const count = this.#changes.length - this.#start
      if (oldest === undefined || count <= 1) break
      if (count <= changes && nowMs - oldest.atMs <= ageMs && this.#sizeBytes <= sizeBytes) break
      this.#changes[this.#start] = undefined
      this.#start += 1
      this.#sizeBytes -= oldest.entry.json.length
      this.#horizon = oldest.revision
    }
    // Compacting when half is dropped keeps add() constant on average.
    if (this.#start > 1024 && this.#start * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#start)
      this.#start = 0
    }
  }
}
