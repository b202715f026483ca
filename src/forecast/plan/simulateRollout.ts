import type { Node } from '../../api/core.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { drainRequest, nodeAnnotation, nodeState, poolName } from '../../api/names.ts'
import type { Held } from '../../rollout/decideRollout.ts'
import {
  isDoneAt,
  isFailing,
  isInFlight,
  isManaged,
  isUnavailable,
  readinessError,
} from '../../rollout/nodePredicates.ts'
import { nodeToView } from '../../rollout/nodeView.ts'
import { decideRolloutPass } from '../../rollout/observePool.ts'
import { MembershipMemory } from '../../rollout/poolMembership.ts'
import type { NodeWrite, PoolPass } from '../../rollout/poolPass.ts'
import { operatorPodsIndex } from '../../rollout/rolloutWatches.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { rolloutSourcesOf } from '../rolloutSourcesOf.ts'

/** Nodes that are sent to their target at the same time. */
interface ForecastBatch {
  readonly pool: string
  /** Seconds after the change. */
  readonly atSeconds: number
  readonly nodes: readonly string[]
}

export interface Forecast {
  /** In the order in which they start. */
  readonly batches: readonly ForecastBatch[]
  /** Nodes that still wait when nothing moves any more, by pool. */
  readonly holds: ReadonlyMap<string, readonly Held[]>
  /** Nodes that are sent to the target and are not expected to answer. */
  readonly silent: readonly string[]
  /** Nodes that were on their way before, and are expected to arrive. */
  readonly underWay: readonly string[]
  /** What each node runs at the moment at which it is sent: not what it runs today, if it is under way. */
  readonly startsFrom: ReadonlyMap<string, string>
  /** By pool: seconds until its last node has arrived. */
  readonly seconds: ReadonlyMap<string, number>
}

export interface SimulationOptions {
  /** How long this node takes on its way between two configs until it is back; undefined when it never arrives there. */
  readonly secondsOf: (node: string, from: string, to: string) => number | undefined
  /** A rollout that has not ended by then is cut off: it would be a defect. */
  readonly maxRounds?: number
}

/**
 * Lets the controllers' own decisions run on virtual nodes until nothing moves: every node that is sent somewhere arrives
 * after its time, unless it does not answer today. `snapshot` holds pools that name their target already.
 */
export function simulateRollout(snapshot: ClusterSnapshot, now: Date, options: SimulationOptions): Forecast {
  const { secondsOf, maxRounds = 100_000 } = options
  const fleet = new VirtualFleet(snapshot, now)
  const arrivals = new Map<number, Set<string>>()
  const dueAt = new Map<string, number>()
  /** A node that is sent on before it has arrived arrives once, at the later target. */
  const arriveLater = (node: string, atSeconds: number): void => {
    arrivals.get(dueAt.get(node) ?? Number.NaN)?.delete(node)
    dueAt.set(node, atSeconds)
    const known = arrivals.get(atSeconds)
    if (known) known.add(node)
    else arrivals.set(atSeconds, new Set([node]))
  }
  const underWay = fleet.nodesUnderWay()
  for (const { name, from, to } of underWay) {
    const taken = secondsOf(name, from, to)
    if (taken !== undefined) arriveLater(name, taken)
  }
  const batches: ForecastBatch[] = []
  const silent = new Set<string>()
  const startsFrom = new Map<string, string>()
  const seconds = new Map<string, number>()
  let atSeconds = 0
  for (let round = 0; round < maxRounds; round++) {
    for (const { pool, moved } of fleet.settle()) {
      batches.push({ pool, atSeconds, nodes: moved.map(({ name }) => name) })
      for (const { name, from, to } of moved) {
        startsFrom.set(name, from)
        const taken = fleet.answers(name) ? secondsOf(name, from, to) : undefined
        if (taken === undefined) silent.add(name)
        else arriveLater(name, atSeconds + taken)
      }
    }
    const next = Math.min(...arrivals.keys())
    if (!Number.isFinite(next)) break
    atSeconds = next
    for (const name of arrivals.get(next) ?? []) {
      seconds.set(fleet.poolOf(name), atSeconds)
      fleet.arrive(name)
    }
    arrivals.delete(next)
  }
  return {
    batches,
    holds: fleet.holds(),
    silent: [...silent],
    underWay: underWay.map(({ name }) => name),
    startsFrom,
    seconds,
  }
}

interface Way {
  readonly name: string
  readonly from: string
  readonly to: string
}

interface Sent extends Way {
  /** It was under way already, or down. */
  readonly wasUnavailable: boolean
}

/** Nodes and pools as the controllers would see them, changed only by what the controllers write and nodes answer. */
class VirtualFleet {
  readonly #nodes: Map<string, Node>
  #pools: readonly MachineConfigPool[]
  readonly #snapshot: ClusterSnapshot
  readonly #now: Date
  readonly #memory = new MembershipMemory()
  readonly #poolOf = new Map<string, string>()
  /**
   * Nodes that are done for good. They change no decision but the size of a percentage, so that they need not be judged in
   * every round: a thousand nodes that go one by one would be judged a million times.
   */
  readonly #finished = new Map<string, Node>()
  /** Who waited in a pool's last turn. */
  readonly #held = new Map<string, readonly Held[]>()
  #relabelled = false

  constructor(snapshot: ClusterSnapshot, now: Date) {
    // Of all pods only the operator's say anything about a rollout, and it is asked for in every round.
    this.#snapshot = { ...snapshot, pods: snapshot.pods.filter((pod) => operatorPodsIndex.valuesOf(pod).length > 0) }
    this.#now = now
    this.#pools = snapshot.pools
    this.#nodes = new Map(snapshot.nodes.map((node) => [node.metadata.name ?? '', node] as const))
  }

  /** Turns of all pools, until they have nothing more to do at this time. What a pool sends in several turns is one batch. */
  settle(): { readonly pool: string; readonly moved: readonly Sent[] }[] {
    const moves = new Map<string, Sent[]>()
    for (;;) {
      const turn = this.#turn()
      for (const { pool, moved } of turn) moves.set(pool, [...(moves.get(pool) ?? []), ...moved])
      // Who waits for capacity alone does not get it by others being sent, unless these used it up before.
      const wasBusy = turn.some(({ moved }) => moved.some(({ wasUnavailable }) => wasUnavailable))
      const waits = [...this.#held.values()].some((held) => held.some(({ reason }) => reason !== 'AtCapacity'))
      if (turn.length === 0 || !(wasBusy || waits)) return [...moves].map(([pool, moved]) => ({ pool, moved }))
    }
  }

  /** One turn of every pool. */
  #turn(): { readonly pool: string; readonly moved: readonly Sent[] }[] {
    const result: { pool: string; moved: readonly Sent[] }[] = []
    const names = this.#pools.map(({ metadata }) => metadata.name ?? '')
    // A node that got the labels of another pool is that pool's to move, and that pool may have had its turn.
    for (let turn = 0; turn < names.length * 2; turn++) {
      if (turn === names.length && !this.#relabelled) break
      const name = names[turn % names.length] ?? ''
      if (!this.#mayMove(name)) continue
      const passes = this.#turnOf(name)
      for (const [pool, pass] of passes) {
        const busy = new Set(pass.plan.move.filter((node) => this.#isUnavailable(node)))
        for (const write of pass.nodeWrites) this.#write(write)
        if (pass.status) this.#setStatus(pool, pass.status)
        this.#held.set(pool, pass.plan.hold)
        const moved = pass.plan.move.map((node) => ({ ...this.#wayOf(node), wasUnavailable: busy.has(node) }))
        for (const { name: node } of moved) this.#poolOf.set(node, pool)
        if (moved.length > 0) result.push({ pool, moved })
      }
    }
    this.#relabelled = false
    return result
  }

  /** A pool of which nobody waits has nothing to decide, unless its turn is another pool's too, or it has got new nodes. */
  #mayMove(name: string): boolean {
    const isAlone = name !== poolName.master || !this.#held.has(poolName.arbiter)
    return !isAlone || this.#relabelled || this.#held.get(name)?.length !== 0
  }

  #turnOf(name: string): readonly (readonly [string, PoolPass])[] {
    const snapshot = { ...this.#snapshot, pools: this.#pools, nodes: [...this.#nodes.values()] }
    const pass = decideRolloutPass(name, rolloutSourcesOf(snapshot, this.#memory), this.#now)
    if (pass.kind !== 'passes') return []
    return pass.passes.map((entry) => [entry.snapshot.pool.metadata.name ?? '', entry.pass] as const)
  }

  /** The last turn, seen with all nodes. */
  holds(): ReadonlyMap<string, readonly Held[]> {
    for (const [name, node] of this.#finished) this.#nodes.set(name, node)
    this.#finished.clear()
    this.#turn()
    return new Map([...this.#held].filter(([, hold]) => hold.length > 0))
  }

  poolOf(node: string): string {
    return this.#poolOf.get(node) ?? ''
  }

  nodesUnderWay(): Way[] {
    return [...this.#nodes.keys()].flatMap((name) => {
      const node = this.#nodes.get(name)
      const view = node && nodeToView(node)
      if (!view || !isInFlight(view) || isFailing(view)) return []
      return [this.#wayOf(name)]
    })
  }

  /** A node whose kubelet reports a fault today, or on which no daemon ever ran, is not expected to change. */
  answers(name: string): boolean {
    const node = this.#nodes.get(name)
    if (!node) return false
    const view = nodeToView(node)
    return isManaged(view) && readinessError({ ...view, unschedulable: false }) === undefined
  }

  /** What the daemon and the kubelet report at the end of an update. */
  arrive(name: string): void {
    const node = this.#nodes.get(name)
    if (!node) return
    const { annotations = {} } = node.metadata
    const image = annotations[nodeAnnotation.desiredImage]
    const { [nodeAnnotation.currentImage]: _replaced, ...rest } = annotations
    const config = annotations[nodeAnnotation.desiredConfig] ?? ''
    const conditions = (node.status?.conditions ?? []).map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'True' as const } : condition,
    )
    const { unschedulable: _given, ...spec } = node.spec ?? {}
    const arrived: Node = {
      ...node,
      metadata: {
        ...node.metadata,
        annotations: {
          ...rest,
          ...(image && { [nodeAnnotation.currentImage]: image }),
          [nodeAnnotation.currentConfig]: config,
          [nodeAnnotation.state]: nodeState.done,
          [nodeAnnotation.desiredDrain]: `${drainRequest.uncordonPrefix}${config}`,
          [nodeAnnotation.lastAppliedDrain]: `${drainRequest.uncordonPrefix}${config}`,
        },
      },
      spec,
      status: { ...node.status, conditions },
    }
    this.#nodes.set(name, arrived)
    if (!this.#isFinished(arrived, this.poolOf(name))) return
    this.#nodes.delete(name)
    this.#finished.set(name, arrived)
  }

  #isFinished(node: Node, owner: string): boolean {
    const pool = this.#pools.find(({ metadata }) => metadata.name === owner)
    if (!pool || typeof pool.spec.maxUnavailable === 'string') return false
    const target = { kind: 'plain', config: pool.spec.configuration?.name ?? '' } as const
    return isDoneAt(nodeToView(node), target)
  }

  #isUnavailable(name: string): boolean {
    const node = this.#nodes.get(name)
    return node !== undefined && isUnavailable(nodeToView(node))
  }

  #wayOf(name: string): Way {
    const { currentConfig, desiredConfig } = nodeAnnotation
    const annotations = this.#nodes.get(name)?.metadata.annotations ?? {}
    return { name, from: annotations[currentConfig] ?? '', to: annotations[desiredConfig] ?? '' }
  }

  #setStatus(name: string, status: NonNullable<MachineConfigPool['status']>): void {
    this.#pools = this.#pools.map((pool) => (pool.metadata.name === name ? { ...pool, status } : pool))
  }

  #write(write: NodeWrite): void {
    const node = this.#nodes.get(write.node)
    if (!node) return
    if (write.kind === 'taints') {
      this.#nodes.set(write.node, {
        ...node,
        spec: { ...node.spec, taints: write.body.spec.taints ?? [] } as Node['spec'] & {},
      })
      return
    }
    const { annotations = {}, labels = {} } = write.body.metadata
    if (Object.keys(labels).length > 0) this.#relabelled = true
    const kept = Object.entries({ ...node.metadata.annotations, ...annotations }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    )
    const metadata = {
      ...node.metadata,
      annotations: Object.fromEntries(kept),
      labels: { ...node.metadata.labels, ...labels },
    }
    this.#nodes.set(write.node, { ...node, metadata })
  }
}
