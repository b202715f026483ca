import type { Entry } from './entry.ts'
import { type Change, History, type HistoryLimits } from './history.ts'

export type ChangeListener = (change: Change) => void

/** All committed objects of one stored kind, in key order, with the recent past. */
export class Collection {
  readonly id: string
  readonly history: History
  readonly #entries = new Map<string, Entry>()
  /** Sorted by code unit, which for Kubernetes names is byte order, the order etcd lists in. */
  readonly #keys: string[] = []
  readonly #listeners = new Set<ChangeListener>()

  constructor(id: string, horizon: number, limits: HistoryLimits) {
    this.id = id
    this.history = new History(horizon, limits)
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Present entries in key order; `namespace` empty means all. */
  list(namespace = ''): Entry[] {
    const found: Entry[] = []
    const prefix = namespace === '' ? '' : `${namespace}/`
    for (let index = this.#position(prefix); index < this.#keys.length; index += 1) {
      const key = this.#keys[index] ?? ''
      if (!key.startsWith(prefix)) break
      const entry = this.#entries.get(key)
      if (entry) found.push(entry)
    }
    return found
  }

  /** The same as it was at `revision`; undefined when the history no longer reaches back that far. */
  listAt(revision: number, namespace = ''): Entry[] | undefined {
    if (revision < this.history.horizon) return undefined
    const later = this.history.since(revision)
    if (later.length === 0) return this.list(namespace)
    const state = new Map(this.list(namespace).map((entry) => [entry.key, entry]))
    for (const change of later.toReversed()) {
      if (namespace !== '' && change.entry.path.namespace !== namespace) continue
      if (change.previous === undefined) state.delete(change.entry.key)
      else state.set(change.entry.key, change.previous)
    }
    return [...state.values()].sort(byKey)
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Only the database calls this: at recovery, and with each committed change in revision order. */
  restore(entry: Entry): void {
    this.#put(entry)
  }

  apply(change: Change): void {
    if (change.type === 'DELETED') this.#remove(change.entry.key)
    else this.#put(change.entry)
    this.history.add(change)
    for (const listener of this.#listeners) listener(change)
  }

  #put(entry: Entry): void {
    if (!this.#entries.has(entry.key)) this.#keys.splice(this.#position(entry.key), 0, entry.key)
    this.#entries.set(entry.key, entry)
  }

  #remove(key: string): void {
    if (!this.#entries.delete(key)) return
    this.#keys.splice(this.#position(key), 1)
  }

  /** Index of the first key that is not below `key`. */
  #position(key: string): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

function byKey(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}
