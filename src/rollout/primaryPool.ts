import type { LabelSelector, ObjectMeta } from '../api/meta.ts'
import { nodeLabel, poolName } from '../api/names.ts'
import { isEmptyLabelSelector, type Labels, labelSelectorToQuery, matchesLabels } from '../api/selectors.ts'

/** The part of a MachineConfigPool that decides which nodes are its own. */
export interface PoolSelectorView {
  readonly metadata: ObjectMeta
  readonly spec: { readonly nodeSelector?: LabelSelector }
}

export type Ownership<Pool extends PoolSelectorView> =
  | {
      readonly kind: 'owned'
      /** The pool that coordinates and counts the node. */
      readonly primary: Pool
      /** The primary pool, and the worker pool when the node's labels match it too (it only refreshes its status). */
      readonly pools: readonly Pool[]
      /** A custom pool matches this control plane node and is ignored. */
      readonly customIgnored: boolean
    }
  | { readonly kind: 'unmanaged' }
  | { readonly kind: 'conflict'; readonly message: string; readonly pools: readonly Pool[] }
  | { readonly kind: 'invalid'; readonly message: string }

/**
 * Which pool owns a node: a custom pool before worker, master before everything, two custom pools are a conflict.
 * Windows nodes have no pool; a pool without a selector, or with an empty one, has no nodes.
 */
export function ownershipOf<Pool extends PoolSelectorView>(
  node: { readonly name: string; readonly labels: Labels },
  pools: readonly Pool[],
): Ownership<Pool> {
  if (node.labels[nodeLabel.os] === 'windows') return { kind: 'unmanaged' }
  const matching: Pool[] = []
  for (const pool of pools) {
    const { nodeSelector } = pool.spec
    if (!nodeSelector || isEmptyLabelSelector(nodeSelector)) continue
    const query = queryOf(nodeSelector)
    if ('error' in query) return { kind: 'invalid', message: `invalid label selector: ${query.error}` }
    if (matchesLabels(query.value, node.labels)) matching.push(pool)
  }
  return choose(node.name, matching)
}

/** Selectors of cached pools are parsed once, not once per node. */
const queries = new WeakMap<LabelSelector, ReturnType<typeof labelSelectorToQuery>>()

function queryOf(selector: LabelSelector): ReturnType<typeof labelSelectorToQuery> {
  const known = queries.get(selector)
  if (known) return known
  const query = labelSelectorToQuery(selector)
  queries.set(selector, query)
  return query
}

function choose<Pool extends PoolSelectorView>(node: string, matching: readonly Pool[]): Ownership<Pool> {
  const named = (name: string) => matching.find(({ metadata }) => metadata.name === name)
  const master = named(poolName.master)
  const worker = named(poolName.worker)
  const custom = matching.filter((pool) => pool !== master && pool !== worker)
  if (custom.length > 1) {
    const message = `node ${node} belongs to ${custom.length} custom roles, cannot proceed with this Node`
    return { kind: 'conflict', message, pools: matching }
  }
  const primary = master ?? custom[0] ?? worker
  if (!primary) return { kind: 'unmanaged' }
  // The worker pool follows along only beside a custom pool; a master that matches worker belongs to master alone.
  const pools = worker && custom.length === 1 ? [primary, worker] : [primary]
  return { kind: 'owned', primary, pools, customIgnored: master !== undefined && custom.length === 1 }
}
