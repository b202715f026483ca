import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { type NodeLike, nodeToView } from './nodeView.ts'
import { ownershipOf } from './primaryPool.ts'

export interface PoolMembership {
  /** Nodes whose primary pool has this name. */
  readonly membersOf: (pool: string) => readonly NodeLike[]
  /** A pool's selector cannot be read: nobody's members are known. */
  readonly invalid?: string
  /** Nodes of two custom pools: in nobody's list, with the sentence that says so. */
  readonly conflicts: ReadonlyMap<string, string>
  /** Control plane nodes that match a custom pool, which they ignore. */
  readonly customIgnored: ReadonlySet<string>
}

/**
 * Sorts nodes into pools. Give the same `memory` every time: an unchanged Node under unchanged selectors is not judged
 * again, so that one changed node among thousands costs one judgement.
 */
export function poolMembership(
  pools: readonly MachineConfigPool[],
  nodes: readonly NodeLike[],
  memory: MembershipMemory = new MembershipMemory(),
): PoolMembership {
  memory.use(pools)
  const members = new Map<string, NodeLike[]>()
  const conflicts = new Map<string, string>()
  const customIgnored = new Set<string>()
  for (const node of nodes) {
    const verdict = memory.judge(node, pools)
    if (verdict.invalid !== undefined) return { ...nobody, invalid: verdict.invalid }
    if (verdict.conflict !== undefined) conflicts.set(node.metadata.name ?? '', verdict.conflict)
    if (verdict.customIgnored) customIgnored.add(node.metadata.name ?? '')
    if (verdict.primary === undefined) continue
    const group = members.get(verdict.primary)
    if (group) group.push(node)
    else members.set(verdict.primary, [node])
  }
  return { membersOf: (pool) => members.get(pool) ?? [], conflicts, customIgnored }
}

const nobody: PoolMembership = { membersOf: () => [], conflicts: new Map(), customIgnored: new Set() }

interface Verdict {
  readonly primary?: string
  readonly conflict?: string
  readonly invalid?: string
  readonly customIgnored?: boolean
}

export class MembershipMemory {
  #selectors = ''
  #verdicts = new WeakMap<NodeLike, Verdict>()

  /** Forgets everything when a pool came, went or changed its selector. */
  use(pools: readonly MachineConfigPool[]): void {
    const selectors = JSON.stringify(pools.map(({ metadata, spec }) => [metadata.name, spec.nodeSelector]))
    if (selectors === this.#selectors) return
    this.#selectors = selectors
    this.#verdicts = new WeakMap()
  }

  judge(node: NodeLike, pools: readonly MachineConfigPool[]): Verdict {
    const known = this.#verdicts.get(node)
    if (known) return known
    const verdict = toVerdict(node, pools)
    this.#verdicts.set(node, verdict)
    return verdict
  }
}

function toVerdict(node: NodeLike, pools: readonly MachineConfigPool[]): Verdict {
  const ownership = ownershipOf(nodeToView(node), pools)
  switch (ownership.kind) {
    case 'owned':
      return { primary: ownership.primary.metadata.name ?? '', customIgnored: ownership.customIgnored }
    case 'unmanaged':
      return {}
    case 'conflict':
      return { conflict: ownership.message }
    case 'invalid':
      return { invalid: ownership.message }
  }
}
