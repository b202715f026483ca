import type { OwnerReference } from '../../api/meta.ts'
import type { Entry } from '../store/entry.ts'
import type { Change } from '../store/history.ts'
import { formatPath, parsePath } from '../store/objectPath.ts'
import { BackgroundLoop } from './backgroundLoop.ts'
import type { ServerContext } from './context.ts'
import { changeStored, deleteStored, withoutFinalizer } from './internalWrites.ts'
import type { ApiObject } from './resource.ts'

const foreground = 'foregroundDeletion'
const orphan = 'orphan'

/**
 * Deletes objects whose owners are gone, and works off the finalizers of foreground and orphaning deletion (public docs,
 * "Garbage Collection"). Cost follows the changes: owners and dependents are found by uid.
 */
export class GarbageCollector {
  readonly #context: ServerContext
  readonly #loop: BackgroundLoop
  readonly #byUid = new Map<string, Entry>()
  readonly #dependents = new Map<string, Set<string>>()
  readonly #stopListening: () => void

  constructor(context: ServerContext, onFault: (error: unknown) => void) {
    this.#context = context
    this.#loop = new BackgroundLoop((key) => this.#collect(key), onFault)
    const present = context.database.collections().flatMap((collection) => collection.list())
    for (const entry of present) this.#index(entry, undefined)
    for (const entry of present) this.#loop.add(formatPath(entry.path))
    this.#stopListening = context.database.listen((change) => this.#onChange(change))
  }

  idle(): Promise<void> {
    return this.#loop.idle()
  }

  stop(): Promise<void> {
    this.#stopListening()
    return this.#loop.stop()
  }

  #onChange({ type, entry, previous }: Change): void {
    this.#index(type === 'DELETED' ? undefined : entry, previous)
    const uid = entry.object.metadata.uid ?? ''
    if (type === 'DELETED') {
      for (const dependent of this.#dependents.get(uid) ?? []) this.#loop.add(dependent)
      // An owner that waits for its dependents may be waiting for this one.
      for (const owner of ownersOf(entry)) this.#addOwner(owner)
    } else if (needsWork(entry.object)) {
      this.#loop.add(formatPath(entry.path))
    }
  }

  #addOwner({ uid }: OwnerReference): void {
    const owner = this.#byUid.get(uid)
    if (owner?.object.metadata.finalizers?.includes(foreground)) this.#loop.add(formatPath(owner.path))
  }

  #index(now: Entry | undefined, before: Entry | undefined): void {
    if (before) {
      const key = formatPath(before.path)
      for (const { uid } of ownersOf(before)) {
        const set = this.#dependents.get(uid)
        set?.delete(key)
        if (set?.size === 0) this.#dependents.delete(uid)
      }
      this.#byUid.delete(before.object.metadata.uid ?? '')
    }
    if (now) {
      this.#byUid.set(now.object.metadata.uid ?? '', now)
      for (const { uid } of ownersOf(now)) {
        const set = this.#dependents.get(uid) ?? new Set()
        this.#dependents.set(uid, set.add(formatPath(now.path)))
      }
    }
  }

  async #collect(key: string): Promise<void> {
    const entry = this.#context.database.latest(parsePath(key))
    if (!entry) return
    const { deletionTimestamp, finalizers = [] } = entry.object.metadata
    if (deletionTimestamp !== undefined && finalizers.includes(orphan)) return this.#orphan(entry)
    if (deletionTimestamp !== undefined && finalizers.includes(foreground)) return this.#finishForeground(entry)
    if (ownersOf(entry).length > 0) await this.#checkOwners(entry)
  }

  /** No owner left: delete. Some owners left: forget the missing ones. */
  async #checkOwners(entry: Entry): Promise<void> {
    const owners = ownersOf(entry)
    const missing = owners.filter((owner) => this.#isMissing(owner))
    const leaving = owners.filter((owner) => this.#isWaitingFor(owner))
    if (missing.length + leaving.length < owners.length) {
      if (missing.length > 0) await changeStored(this.#context, entry, (object) => withoutOwners(object, missing))
      return
    }
    if (entry.object.metadata.deletionTimestamp !== undefined) return
    // In a foreground deletion the dependents of dependents go first, too.
    await deleteStored(this.#context, entry, leaving.length > 0 ? 'Foreground' : undefined)
  }

  /** A kind that is not served cannot be looked up: its objects count as present. */
  #isMissing({ uid, apiVersion, kind }: OwnerReference): boolean {
    if (this.#byUid.has(uid)) return false
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
    return this.#context.registry.findKind(group ?? '', version ?? '', kind) !== undefined
  }

  #isWaitingFor({ uid }: OwnerReference): boolean {
    const { deletionTimestamp, finalizers } = this.#byUid.get(uid)?.object.metadata ?? {}
    return deletionTimestamp !== undefined && (finalizers?.includes(foreground) ?? false)
  }

  async #finishForeground(owner: Entry): Promise<void> {
    const uid = owner.object.metadata.uid ?? ''
    for (const dependent of this.#dependentsOf(uid)) {
      // One that is being deleted already is worked on by its own changes; following it would go in circles.
      if (dependent.object.metadata.deletionTimestamp === undefined) await this.#collect(formatPath(dependent.path))
    }
    const blocking = this.#dependentsOf(uid).some(
      (dependent) => blocks(dependent, uid) && !this.#isAbove(dependent, uid),
    )
    if (!blocking) await changeStored(this.#context, owner, (object) => withoutFinalizer(object, foreground))
  }

  /** Whether the object is itself an owner, however far up, of the one with this uid: each would wait for the other. */
  #isAbove(object: Entry, uid: string): boolean {
    const seen = new Set<string>()
    const open = [object.object.metadata.uid ?? '']
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === uid) return true
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...this.#dependentsOf(next).map((dependent) => dependent.object.metadata.uid ?? ''))
    }
    return false
  }

  #dependentsOf(uid: string): readonly Entry[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((key) => this.#context.database.latest(parsePath(key)) ?? [])
  }

  async #orphan(owner: Entry): Promise<void> {
    const uid = owner.object.metadata.uid ?? ''
    for (const dependent of this.#dependentsOf(uid)) {
      const references = ownersOf(dependent).filter((reference) => reference.uid === uid)
      await changeStored(this.#context, dependent, (object) => withoutOwners(object, references))
    }
    await changeStored(this.#context, owner, (object) => withoutFinalizer(object, orphan))
  }
}

const blocks = (dependent: Entry, ownerUid: string): boolean =>
  ownersOf(dependent).some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true)

const ownersOf = ({ object }: Entry): readonly OwnerReference[] => object.metadata.ownerReferences ?? []

function needsWork({ metadata }: ApiObject): boolean {
  if ((metadata.ownerReferences ?? []).length > 0) return true
  const { deletionTimestamp, finalizers = [] } = metadata
  return deletionTimestamp !== undefined && (finalizers.includes(foreground) || finalizers.includes(orphan))
}

function withoutOwners(object: ApiObject, gone: readonly OwnerReference[]): ApiObject {
  const uids = new Set(gone.map(({ uid }) => uid))
  const { ownerReferences = [], ...metadata } = object.metadata
  const left = ownerReferences.filter(({ uid }) => !uids.has(uid))
  if (left.length === ownerReferences.length) return object
  return { ...object, metadata: { ...metadata, ...(left.length > 0 ? { ownerReferences: left } : {}) } }
}
