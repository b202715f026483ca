import type { Kind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'
import type { Cache } from './controller.ts'
import { Retryable } from './errors.ts'

/**
 * What a cache holds so far, for handlers of changes: before a kind is known completely nothing is missed, its own first
 * list brings every object as an add. A decision must not be made from it.
 */
export function listKnown<T extends KubernetesObject>(cache: Cache, kind: Kind<T>): readonly T[] {
  try {
    return cache.list(kind)
  } catch (error) {
    if (error instanceof Retryable) return []
    throw error
  }
}
