import type { Kind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'

/**
 * The result of one reconcile: nothing to do until the next event, or "look again at this time". A thrown error is the
 * only other way out; the loop then backs off per key (5 ms doubled, capped) and counts.
 */
export type Outcome = { readonly kind: 'settled' } | { readonly kind: 'again'; readonly at: Date }

export const settled: Outcome = { kind: 'settled' }
export const again = (at: Date): Outcome => ({ kind: 'again', at })

/** Events of one kind, mapped to the keys that must be looked at. `old` is absent on add, `now` on delete. */
export interface Watch<T extends KubernetesObject> {
  readonly kind: Kind<T>
  readonly keysOf: (change: { readonly old?: T; readonly now?: T }) => readonly string[]
  /** For changes of this kind, instead of the controller's own. */
  readonly coalesceMs?: number
}

/** A level-based loop: the key says "look here", never "what happened". Deliveries of one key never overlap. */
export interface Controller {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: a list of watches over different kinds has no common element type
  readonly watches: readonly Watch<any>[]
  /** Bursts within this many milliseconds become one reconcile (0: none). */
  readonly coalesceMs?: number
  readonly workers?: number
  reconcile(key: string, signal: AbortSignal): Promise<Outcome>
}

/** Declares a watch with its kind's type kept, so that `keysOf` is checked. */
export function watching<T extends KubernetesObject>(
  kind: Kind<T>,
  keysOf: Watch<T>['keysOf'],
  options: { readonly coalesceMs?: number } = {},
): Watch<T> {
  return { kind, keysOf, ...options }
}

/** A watch on the controller's own kind: key is `namespace/name` or `name`. */
export function own<T extends KubernetesObject>(kind: Kind<T>): Watch<T> {
  return watching(kind, ({ old, now }) => {
    const metadata = (now ?? old)?.metadata
    if (!metadata?.name) return []
    return [metadata.namespace ? `${metadata.namespace}/${metadata.name}` : metadata.name]
  })
}

/** A read-only view of what the API server holds, kept fresh by a reflector. Objects must not be mutated. */
export interface Cache {
  get<T extends KubernetesObject>(
    kind: Kind<T>,
    key: { readonly name: string; readonly namespace?: string },
  ): T | undefined
  list<T extends KubernetesObject>(kind: Kind<T>): readonly T[]
  /** Objects of the index `name` (registered with the cache) under `value`; cost is the size of the answer. */
  byIndex<T extends KubernetesObject>(kind: Kind<T>, index: string, value: string): readonly T[]
}
