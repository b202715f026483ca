import type { KubernetesObject } from '../api/meta.ts'

/**
 * What we wrote and a watch has not brought back yet. A decision over the cache alone would not see its own last step:
 * the node that was just targeted would look idle, and another one would be targeted beside it.
 */
export class PendingWrites<T extends KubernetesObject> {
  readonly #written = new Map<string, T>()

  /** `written` is the API server's answer to the write. */
  record(written: T): void {
    this.#written.set(written.metadata.name ?? '', written)
  }

  /** The newer of what the cache holds and what was written. */
  newest(cached: T): T {
    const name = cached.metadata.name ?? ''
    const written = this.#written.get(name)
    if (!written) return cached
    if (isOlder(cached, written)) return written
    this.#written.delete(name)
    return cached
  }

  forget(name: string): void {
    this.#written.delete(name)
  }
}

/** Of one object, a smaller resourceVersion is older; another uid is another object. */
function isOlder(cached: KubernetesObject, written: KubernetesObject): boolean {
  if (cached.metadata.uid !== written.metadata.uid) return false
  const [a, b] = [cached.metadata.resourceVersion ?? '', written.metadata.resourceVersion ?? '']
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return false
  return a.length === b.length ? a < b : a.length < b.length
}
