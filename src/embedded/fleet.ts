import { nodeLabel, poolName } from '../api/names.ts'

/** One machine of the simulated fleet. */
export interface FleetNode {
  readonly name: string
  /** The pool that will own it. */
  readonly pool: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly { readonly key: string; readonly effect: 'NoSchedule' }[]
}

export type FleetPlan =
  | { readonly kind: 'planned'; readonly nodes: readonly FleetNode[] }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * The fleet for `--pools master=3,worker=2` (counts per pool; any other name is a custom pool whose nodes are workers too).
 * Names are `POOL-INDEX`; control-plane nodes take no ordinary pods.
 */
export function planFleet(counts: ReadonlyMap<string, number>): FleetPlan {
  const nodes: FleetNode[] = []
  for (const [pool, count] of counts) {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(pool))
      return { kind: 'refused', reason: `pool name "${pool}" is not a DNS-1123 label` }
    if (!Number.isInteger(count) || count < 0 || count > 10_000)
      return { kind: 'refused', reason: `pool ${pool}: ${count} is not a number of nodes from 0 to 10000` }
    for (let index = 0; index < count; index += 1) nodes.push(fleetNode(pool, index))
  }
  return nodes.length > 0
    ? { kind: 'planned', nodes }
    : { kind: 'refused', reason: 'a cluster needs at least one node' }
}

/** `--nodes N`: three control-plane nodes when that leaves a worker or more, else one; the rest are workers. */
export function defaultCounts(nodes: number): ReadonlyMap<string, number> {
  const masters = nodes > 3 ? 3 : Math.min(nodes, 1)
  return new Map([
    [poolName.master, masters],
    [poolName.worker, nodes - masters],
  ])
}

/** The counts behind the names `POOL-INDEX` of an earlier run; names of another form are not ours. */
export function countsOfNames(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names.toSorted()) {
    const [, pool, index] = /^(.+)-(\d+)$/.exec(name) ?? []
    if (pool !== undefined) counts.set(pool, Math.max(counts.get(pool) ?? 0, Number(index) + 1))
  }
  return counts
}

/**
 * Machines of an earlier run that a plan leaves out. Nobody would start them: their Nodes would never be Ready again, use
 * up the budget of their pools and hold every rollout.
 */
export function leftOut(names: readonly string[], fleet: readonly FleetNode[]): readonly string[] {
  const planned = new Set(fleet.map(({ name }) => name))
  return names.filter((name) => !planned.has(name)).toSorted()
}

function fleetNode(pool: string, index: number): FleetNode {
  const name = `${pool}-${index}`
  const common = {
    [nodeLabel.hostname]: name,
    [nodeLabel.os]: 'linux',
    [nodeLabel.arch]: 'amd64',
    [nodeLabel.zone]: `zone-${'abc'[index % 3]}`,
  }
  if (pool === poolName.master) {
    return {
      name,
      pool,
      labels: { ...common, [nodeLabel.master]: '', [nodeLabel.controlPlane]: '' },
      taints: [{ key: nodeLabel.master, effect: 'NoSchedule' }],
    }
  }
  const role = pool === poolName.worker ? {} : { [`${nodeLabel.rolePrefix}${pool}`]: '' }
  return { name, pool, labels: { ...common, [nodeLabel.worker]: '', ...role }, taints: [] }
}
