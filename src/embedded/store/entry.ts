import type { ApiObject } from '../server/resource.ts'
import type { ObjectPath } from './objectPath.ts'
import { keyOf } from './objectPath.ts'

/** One object at one revision: parsed once, serialised once, never changed. Watchers, lists and the disk share it. */
export class Entry {
  readonly path: ObjectPath
  readonly key: string
  readonly revision: number
  readonly object: ApiObject
  #json: Buffer | undefined

  constructor(path: ObjectPath, revision: number, object: ApiObject, json?: Buffer) {
    this.path = path
    this.key = keyOf(path.namespace, path.name)
    this.revision = revision
    this.object = object
    this.#json = json
  }

  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(this.object))
    return this.#json
  }
}

/** The object as stored at `revision`: its resourceVersion is the revision of the write that made it. */
export function entryAt(path: ObjectPath, revision: number, object: ApiObject): Entry {
  const { apiVersion, kind, metadata, ...rest } = object
  const stamped = { apiVersion, kind, metadata: { ...metadata, resourceVersion: String(revision) }, ...rest }
  return new Entry(path, revision, stamped)
}
