import type { Entry } from '../store/entry.ts'
import type { ServerContext } from './context.ts'
import { graceSecondsFor, markForDeletion } from './deleteObject.ts'
import type { DeleteOptions } from './requestOptions.ts'
import type { ApiObject } from './resource.ts'
import { isFinished } from './updateObject.ts'

/** Writes of the server's own controllers: on the stored form, without admission, always on the newest state. */
export async function deleteStored(
  { database, registry, clock }: ServerContext,
  { path }: Entry,
  propagation: DeleteOptions['propagationPolicy'],
): Promise<void> {
  const entry = database.latest(path)
  if (!entry) return
  // Stored objects of a kind that is no longer served have no grace of their own.
  const graceSeconds = graceSecondsFor(registry.stored(path.collection), entry.object, undefined)
  const next = markForDeletion(entry.object, graceSeconds, propagation, clock.now())
  if (next !== entry.object || isFinished(next)) await storeOrRemove(database, entry, next)
}

/** Applies `change` to the newest state; the same value back means nothing to do. */
export async function changeStored(
  { database }: ServerContext,
  { path }: Entry,
  change: (object: ApiObject) => ApiObject,
): Promise<void> {
  const entry = database.latest(path)
  if (!entry) return
  const next = change(entry.object)
  if (next !== entry.object) await storeOrRemove(database, entry, next)
}

export function withoutFinalizer(object: ApiObject, finalizer: string): ApiObject {
  const { finalizers = [], ...metadata } = object.metadata
  const left = finalizers.filter((each) => each !== finalizer)
  if (left.length === finalizers.length) return object
  return { ...object, metadata: { ...metadata, ...(left.length > 0 ? { finalizers: left } : {}) } }
}

async function storeOrRemove(database: ServerContext['database'], { path }: Entry, next: ApiObject): Promise<void> {
  await (isFinished(next) ? database.remove(path, next) : database.put(path, next))
}
