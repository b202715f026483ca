import type { ApiObject } from '../server/resource.ts'
import { badRequest, objectTooLarge } from '../server/statusError.ts'
import { type ChangeListener, Collection } from './collection.ts'
import { Entry, entryAt } from './entry.ts'
import { type Change, defaultHistoryLimits, type HistoryLimits } from './history.ts'
import { formatPath, type ObjectPath, parsePath } from './objectPath.ts'
import type { RevisionStore } from './revisionStore.ts'

/** What etcd takes at most: objects that fit here fit into every cluster. */
const maxObjectBytes = 1.5 * 1024 * 1024
/** Roles may be named as long as one likes; keys of the store may not. */
const maxPathLength = 600

interface PendingWrite {
  readonly path: ObjectPath
  readonly fullPath: string
  readonly entry: Entry
  readonly deleted: boolean
  readonly resolve: (entry: Entry) => void
  readonly reject: (error: unknown) => void
}

/**
 * The cluster's objects: decided in memory, acknowledged when durable.
 *
 * A write is decided synchronously against `latest` (which includes writes on their way to disk), so two writers never
 * both win; it becomes visible to `get`, lists and watches, and its promise resolves, only after the disk has it. Writes
 * that arrive while a commit is under way share the next one. A failed commit fails every write that may have been
 * decided on top of it and nothing of them is ever visible.
 */
export class Database {
  readonly #store: RevisionStore
  readonly #nowMs: () => number
  readonly #limits: HistoryLimits
  readonly #collections = new Map<string, Collection>()
  readonly #listeners = new Set<ChangeListener>()
  /** The newest undurable state by full path. */
  readonly #ahead = new Map<string, PendingWrite>()
  #queue: PendingWrite[] = []
  #committing: Promise<void> | undefined
  #newest: Promise<void> = Promise.resolve()
  #visible: number
  #assigned: number
  readonly #startRevision: number

  static async open(
    store: RevisionStore,
    { nowMs = Date.now, limits = defaultHistoryLimits }: { nowMs?: () => number; limits?: HistoryLimits } = {},
  ): Promise<Database> {
    const { revision, objects } = await store.load()
    const database = new Database(store, Math.max(revision, 1), nowMs, limits)
    for (const { path, value } of objects) database.#restore(parsePath(path), value)
    return database
  }

  private constructor(store: RevisionStore, revision: number, nowMs: () => number, limits: HistoryLimits) {
    this.#store = store
    this.#nowMs = nowMs
    this.#limits = limits
    this.#visible = revision
    this.#assigned = revision
    this.#startRevision = revision
  }

  /** Revision of the newest visible write; the resourceVersion of lists. */
  get revision(): number {
    return this.#visible
  }

  collections(): readonly Collection[] {
    return [...this.#collections.values()]
  }

  collection(id: string): Collection {
    let collection = this.#collections.get(id)
    if (!collection) {
      collection = new Collection(id, this.#startRevision, this.#limits)
      this.#collections.set(id, collection)
    }
    return collection
  }

  /** The durable state. */
  get(path: ObjectPath): Entry | undefined {
    return this.collection(path.collection).get(path.namespace === '' ? path.name : `${path.namespace}/${path.name}`)
  }

  /** The state that a new write must be decided on: durable or on its way. */
  latest(path: ObjectPath): Entry | undefined {
    const pending = this.#ahead.get(formatPath(path))
    if (pending) return pending.deleted ? undefined : pending.entry
    return this.get(path)
  }

  put(path: ObjectPath, object: ApiObject): Promise<Entry> {
    return this.#write(path, object, false)
  }

  /** `object` is the last state; watchers see it with the deletion's resourceVersion. */
  remove(path: ObjectPath, object: ApiObject): Promise<Entry> {
    return this.#write(path, object, true)
  }

  /** Resolves when everything decided so far is visible (or has failed): for answers based on `latest`. */
  async settled(): Promise<void> {
    await this.#newest
  }

  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    while (this.#committing !== undefined) await this.#committing
    await this.#store.close()
  }

  #restore(path: ObjectPath, value: Uint8Array): void {
    const json = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const object = JSON.parse(json.toString('utf8')) as ApiObject
    this.collection(path.collection).restore(new Entry(path, Number(object.metadata.resourceVersion), object, json))
  }

  #write(path: ObjectPath, object: ApiObject, deleted: boolean): Promise<Entry> {
    const entry = entryAt(path, this.#assigned + 1, object)
    if (formatPath(path).length > maxPathLength) throw badRequest(`the name has more than ${maxPathLength} characters`)
    // Serialised here and not with its batch: what cannot be stored must fail alone.
    if (!deleted && entry.json.length > maxObjectBytes) throw objectTooLarge(entry.json.length, maxObjectBytes)
    this.#assigned += 1
    const written = new Promise<Entry>((resolve, reject) => {
      const pending = { path, fullPath: formatPath(path), entry, deleted, resolve, reject }
      this.#ahead.set(pending.fullPath, pending)
      this.#queue.push(pending)
      this.#committing ??= this.#drain()
    })
    // The writer gets the failure itself; whoever only waits for the end of it does not care which end.
    const done = () => undefined
    this.#newest = written.then(done, done)
    return written
  }

  async #drain(): Promise<void> {
    // One turn of the event loop gathers the writes of all requests that are ready now.
    await new Promise(setImmediate)
    while (this.#queue.length > 0) {
      const batch = this.#queue
      this.#queue = []
      const revision = batch.at(-1)?.entry.revision ?? this.#visible
      try {
        await this.#store.commit({ revision, writes: collapse(batch) })
      } catch (cause) {
        this.#fail(batch, cause)
        continue
      }
      for (const pending of batch) this.#publish(pending)
    }
    this.#committing = undefined
  }

  #publish(pending: PendingWrite): void {
    const { entry, path } = pending
    if (this.#ahead.get(pending.fullPath) === pending) this.#ahead.delete(pending.fullPath)
    const previous = this.get(path)
    const change: Change = {
      type: pending.deleted ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED',
      entry,
      ...(previous ? { previous } : {}),
      revision: entry.revision,
      atMs: this.#nowMs(),
    }
    this.#visible = entry.revision
    this.collection(path.collection).apply(change)
    for (const listener of this.#listeners) listener(change)
    previous?.compact()
    pending.resolve(entry)
  }

  /** Everything queued behind a failed batch may build on it: all of it fails, in memory nothing has happened. */
  #fail(batch: readonly PendingWrite[], cause: unknown): void {
    const failed = [...batch, ...this.#queue]
    this.#queue = []
    this.#ahead.clear()
    for (const pending of failed) {
      pending.reject(new Error(`write ${pending.entry.revision} did not reach the disk`, { cause }))
    }
  }
}

/** The last write per path: what the disk must hold after the batch. */
function collapse(batch: readonly PendingWrite[]) {
  const writes = new Map<string, { path: string; value: Uint8Array | undefined }>()
  for (const { fullPath, entry, deleted } of batch) {
    writes.set(fullPath, { path: fullPath, value: deleted ? undefined : entry.json })
  }
  return [...writes.values()]
}
