import { Pod } from '../../api/core.ts'
import type { Clock } from '../../kube/clock.ts'
import { isNotFound, type KubeApi } from '../../kube/kubeApi.ts'
import { isActive, namespacedKey } from './podStates.ts'

/** A write whose watch event is not seen within this time was lost with its object. */
const forgottenAfterMs = 30_000

interface Written {
  readonly owner: string
  readonly atMs: number
  readonly pod?: Pod
}

/**
 * Creates and deletes pods for workloads, and remembers what the cache does not show yet: without that, a controller
 * that runs again before the watch has caught up would create the same pods twice.
 */
export class PodWrites {
  readonly #kube: KubeApi
  readonly #clock: Clock
  /** By uid. */
  readonly #created = new Map<string, Written>()
  readonly #deleted = new Map<string, Written>()

  constructor(kube: KubeApi, clock: Clock) {
    this.#kube = kube
    this.#clock = clock
  }

  /** The owner's pods that count, with our own writes in effect. */
  active(ownerUid: string, cached: readonly Pod[]): readonly Pod[] {
    this.#forgetSeen(ownerUid, cached)
    const added = [...this.#created.values()].flatMap(({ owner, pod }) => (owner === ownerUid && pod ? [pod] : []))
    const active = cached.filter((pod) => isActive(pod) && !this.#deleted.has(pod.metadata.uid ?? ''))
    return [...active, ...added.filter((pod) => !this.#deleted.has(pod.metadata.uid ?? ''))]
  }

  async create(ownerUid: string, pod: Pod, signal: AbortSignal): Promise<void> {
    const created = await this.#kube.create(Pod, pod, { signal })
    this.#created.set(created.metadata.uid ?? '', { owner: ownerUid, atMs: this.#nowMs(), pod: created })
  }

  async delete(ownerUid: string, pod: Pod, signal: AbortSignal): Promise<void> {
    const { name = '', namespace = '', uid = '' } = pod.metadata
    try {
      await this.#kube.delete(Pod, { name, namespace }, { signal, preconditions: { uid } })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
    this.#deleted.set(uid, { owner: ownerUid, atMs: this.#nowMs() })
  }

  #forgetSeen(ownerUid: string, cached: readonly Pod[]): void {
    const byUid = new Map(cached.map((pod) => [pod.metadata.uid ?? '', pod]))
    const isOld = ({ atMs }: Written) => this.#nowMs() - atMs > forgottenAfterMs
    for (const [uid, written] of this.#created) {
      if (written.owner === ownerUid && (byUid.has(uid) || isOld(written))) this.#created.delete(uid)
    }
    for (const [uid, written] of this.#deleted) {
      if (written.owner !== ownerUid) continue
      const pod = byUid.get(uid)
      if (!pod || !isActive(pod) || isOld(written)) this.#deleted.delete(uid)
    }
  }

  #nowMs(): number {
    return this.#clock.now().getTime()
  }
}

/** For choosing which pods go first: not placed, not ready, youngest, then by name. */
export function leastUseful(isReady: (pod: Pod) => boolean): (a: Pod, b: Pod) => number {
  const rank = (pod: Pod) => (pod.spec?.nodeName ? 1 : 0) + (isReady(pod) ? 2 : 0)
  return (a, b) =>
    rank(a) - rank(b) ||
    (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '') ||
    namespacedKey(a).localeCompare(namespacedKey(b))
}
