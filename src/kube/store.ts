import type { KubernetesObject } from '../api/meta.ts'

/** One change of one object: `old` is absent on add, `now` on delete. Objects must not be mutated. */
export interface Change<T extends KubernetesObject> {
  readonly old?: T
  readonly now?: T
}

export type ChangeHandler<T extends KubernetesObject> = (change: Change<T>) => void

/** The values under which an object is found in an index. */
export type IndexValues<T extends KubernetesObject> = (object: T) => readonly string[]

export const storeKey = (name: string, namespace: string | undefined): string =>
  namespace ? `${namespace}/${name}` : name

const none: readonly never[] = []

/**
 * The objects of one kind, with indices, written by a reflector. A reader never sees half of a re-list: `replace`
 * changes everything at once and then tells the handlers what differed.
 */
export class Store<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>()
  readonly #indices = new Map<
    string,
    { readonly valuesOf: IndexValues<T>; readonly groups: Map<string, Map<string, T>> }
  >()
  readonly #handlers = new Set<ChangeHandler<T>>()
  readonly #onHandlerError: (error: unknown) => void
  #all: readonly T[] | undefined

  constructor(onHandlerError: (error: unknown) => void) {
    this.#onHandlerError = onHandlerError
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)
  }

  /** The same array until something changes. */
  list(): readonly T[] {
    this.#all ??= [...this.#objects.values()]
    return this.#all
  }

  byIndex(index: string, value: string): readonly T[] {
    const found = this.#indices.get(index)
    if (!found) {
      throw new Error(`no index "${index}"; known are: ${[...this.#indices.keys()].sort().join(', ') || 'none'}`)
    }
    const group = found.groups.get(value)
    return group ? [...group.values()] : none
  }

  /** Another index under the same name replaces it; the same one again costs nothing. */
  addIndex(name: string, valuesOf: IndexValues<T>): void {
    if (this.#indices.get(name)?.valuesOf === valuesOf) return
    this.#indices.set(name, { valuesOf, groups: new Map() })
    for (const [key, object] of this.#objects) this.#index(name, key, undefined, object)
  }

  /** The handler hears of every object that is here already, as an add, and then of every change. */
  subscribe(handler: ChangeHandler<T>): () => void {
    this.#handlers.add(handler)
    for (const now of this.#objects.values()) this.#tell(handler, { now })
    return () => void this.#handlers.delete(handler)
  }

  upsert(now: T): void {
    const key = keyOf(now)
    const old = this.#objects.get(key)
    this.#set(key, old, now)
    this.#announce(old === undefined ? { now } : { old, now })
  }

  remove(gone: T): void {
    const key = keyOf(gone)
    const old = this.#objects.get(key)
    if (old === undefined) return
    this.#set(key, old, undefined)
    this.#announce({ old })
  }

  /** Whatever is not among `objects` is gone. An object with an unchanged resourceVersion is no change. */
  replace(objects: readonly T[]): void {
    const changes: Change<T>[] = []
    const kept = new Set<string>()
    for (const now of objects) {
      const key = keyOf(now)
      kept.add(key)
      const old = this.#objects.get(key)
      if (old !== undefined && isSameVersion(old, now)) continue
      this.#set(key, old, now)
      changes.push(...changesBetween(old, now))
    }
    for (const [key, old] of [...this.#objects]) {
      if (kept.has(key)) continue
      this.#set(key, old, undefined)
      changes.push({ old })
    }
    for (const change of changes) this.#announce(change)
  }

  #set(key: string, old: T | undefined, now: T | undefined): void {
    this.#all = undefined
    if (now === undefined) this.#objects.delete(key)
    else this.#objects.set(key, now)
    for (const name of this.#indices.keys()) this.#index(name, key, old, now)
  }

  #index(name: string, key: string, old: T | undefined, now: T | undefined): void {
    const index = this.#indices.get(name)
    if (!index) return
    const { valuesOf, groups } = index
    for (const value of old === undefined ? none : valuesOf(old)) {
      const group = groups.get(value)
      group?.delete(key)
      if (group?.size === 0) groups.delete(value)
    }
    for (const value of now === undefined ? none : valuesOf(now)) {
      const group = groups.get(value)
      if (group) group.set(key, now as T)
      else groups.set(value, new Map([[key, now as T]]))
    }
  }

  #announce(change: Change<T>): void {
    for (const handler of this.#handlers) this.#tell(handler, change)
  }

  /** One handler's bug must neither stop the watch nor keep the change from the other handlers. */
  #tell(handler: ChangeHandler<T>, change: Change<T>): void {
    try {
      handler(change)
    } catch (error) {
      this.#onHandlerError(error)
    }
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  return storeKey(metadata.name ?? '', metadata.namespace)
}

function isSameVersion(old: KubernetesObject, now: KubernetesObject): boolean {
  const version = now.metadata.resourceVersion
  return version !== undefined && version === old.metadata.resourceVersion && old.metadata.uid === now.metadata.uid
}

/** An object that was deleted and created anew between two lists is two changes: nothing of the old one lives on. */
function changesBetween<T extends KubernetesObject>(old: T | undefined, now: T): Change<T>[] {
  if (old === undefined) return [{ now }]
  if (old.metadata.uid !== now.metadata.uid) return [{ old }, { now }]
  return [{ old, now }]
}
