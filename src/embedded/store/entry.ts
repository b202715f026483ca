import type { ApiObject } from '../server/resource.ts'
import type { ObjectPath } from './objectPath.ts'
import { keyOf } from './objectPath.ts'

/** One object at one revision: serialised once, never changed. Watchers, lists and the disk share it. */
export class Entry {
  readonly path: ObjectPath
  readonly key: string
  readonly revision: number
  #object: ApiObject | undefined
  #json: Buffer | undefined

  constructor(path: ObjectPath, revision: number, object: ApiObject, json?: Buffer) {
    this.path = path
    this.key = keyOf(path.namespace, path.name)
    this.revision = revision
    this.#object = object
    this.#json = json
  }

  get object(): ApiObject {
    this.#object ??= JSON.parse(this.json.toString('utf8')) as ApiObject
    return this.#object
  }

  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(this.#object))
    return this.#json
  }

  /** Keeps the bytes only: what only the history holds is hardly ever read, and as values it is five times as large. */
  compact(): void {
    if (this.#json) this.#object = undefined
  }
}

/** The object as stored at `revision`: its resourceVersion is the revision of the write that made it. */
export function entryAt(path: ObjectPath, revision: number, object: ApiObject): Entry {
  const { apiVersion, kind, metadata, ...rest } = object
  const stamped = { apiVersion, kind, metadata: { ...metadata, resourceVersion: String(revision) }, ...rest }
  return new Entry(path, revision, stamped)
}
