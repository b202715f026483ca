import type { PoolRollout } from '../api/poolRollout.ts'
import { PendingWrites } from '../rollout/pendingWrites.ts'

/**
 * The rollouts of a cache, with our own last writes laid over them: one that was just created and that no watch has brought
 * yet must not be created again under the next number.
 */
export class SeenRollouts {
  readonly #pending = new PendingWrites<PoolRollout>()
  readonly #created = new Map<string, PoolRollout>()

  record(written: PoolRollout): void {
    this.#pending.record(written)
    this.#created.set(written.metadata.name ?? '', written)
  }

  /** It was deleted. */
  forget(name: string): void {
    this.#pending.forget(name)
    this.#created.delete(name)
  }

  newest(cached: readonly PoolRollout[]): readonly PoolRollout[] {
    for (const { metadata } of cached) this.#created.delete(metadata.name ?? '')
    return [...cached.map((rollout) => this.#pending.newest(rollout)), ...this.#created.values()]
  }
}
