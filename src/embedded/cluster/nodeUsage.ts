import type { Pod } from '../../api/core.ts'
import { podRequests } from '../../drain/whyNowhere.ts'
import { isFinished, namespacedKey, nodeOf } from './podStates.ts'

type Amounts = Record<string, bigint>

/**
 * What is reserved on each node, kept up to date change by change: scheduling one pod must not cost a walk over all
 * others. A pod counts from the moment of its binding, before the watch shows it.
 */
export class NodeUsage {
  readonly #byNode = new Map<string, Amounts>()
  readonly #placed = new Map<string, { readonly node: string; readonly amounts: Readonly<Amounts> }>()

  on(node: string): Readonly<Amounts> {
    return this.#byNode.get(node) ?? {}
  }

  /** The pod as it is now: its former reservation is replaced. */
  set(pod: Pod, node = nodeOf(pod)): void {
    this.remove(pod)
    if (node === '' || isFinished(pod)) return
    const amounts = podRequests(pod.spec)
    this.#placed.set(namespacedKey(pod), { node, amounts })
    this.#add(node, amounts, 1n)
  }

  remove(pod: Pod): void {
    const placed = this.#placed.get(namespacedKey(pod))
    if (!placed) return
    this.#placed.delete(namespacedKey(pod))
    this.#add(placed.node, placed.amounts, -1n)
  }

  #add(node: string, amounts: Readonly<Amounts>, sign: bigint): void {
    const total = this.#byNode.get(node) ?? {}
    for (const [resource, amount] of Object.entries(amounts)) total[resource] = (total[resource] ?? 0n) + sign * amount
    this.#byNode.set(node, total)
  }
}
