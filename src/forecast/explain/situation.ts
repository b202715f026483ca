import type { Node, Pod } from '../../api/core.ts'
import type { MachineConfig } from '../../api/machineConfig.ts'
import type { MachineConfigNode } from '../../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { hostViews } from '../../drain/hostViews.ts'
import type { HostView } from '../../drain/whyNowhere.ts'
import type { Held } from '../../rollout/decideRollout.ts'
import { type NodeView, nodeToView } from '../../rollout/nodeView.ts'
import { decideRolloutPass } from '../../rollout/observePool.ts'
import { type Ownership, ownershipOf } from '../../rollout/primaryPool.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import type { FindingSubject } from '../finding.ts'
import { groupBy } from '../groupBy.ts'
import { rolloutSourcesOf } from '../rolloutSourcesOf.ts'

/** A snapshot arranged for questions about one node or one pool, with what the controllers decide about it now. */
export interface Situation {
  readonly snapshot: ClusterSnapshot
  readonly now: Date
  readonly nodes: readonly NodeSituation[]
  readonly pools: readonly PoolSituation[]
  readonly podsOn: (node: string) => readonly Pod[]
  /** Every node as the scheduler finds it; made when it is first asked for. */
  readonly hosts: () => readonly HostView[]
  readonly config: (name: string) => MachineConfig | undefined
  /** When the node was last told to move, if the caller remembers it better than the objects do. */
  readonly movingSince: (node: string) => Date | undefined
}

export interface NodeSituation {
  readonly node: Node
  readonly name: string
  readonly view: NodeView
  readonly ownership: Ownership<MachineConfigPool>
  /** The primary pool. */
  readonly pool: MachineConfigPool | undefined
  readonly report: MachineConfigNode | undefined
  /** Why it does not get its pool's target now. */
  readonly hold: Held | undefined
}

export interface PoolSituation {
  readonly pool: MachineConfigPool
  readonly name: string
  readonly members: readonly NodeSituation[]
  readonly hold: readonly Held[]
  /** Nodes that would be sent to the target now. */
  readonly move: readonly string[]
}

export interface SituationOptions {
  readonly movingSince?: (node: string) => Date | undefined
}

export function situationOf(
  cluster: ClusterSnapshot,
  now: Date,
  { movingSince = () => undefined }: SituationOptions = {},
): Situation {
  // One that was just created by hand, without a spec, says nothing yet.
  const snapshot = { ...cluster, pools: cluster.pools.filter(({ spec }) => spec !== undefined) }
  const plans = plansOf(snapshot, now)
  const holds = new Map([...plans.values()].flatMap(({ hold }) => hold).map((held) => [held.node, held] as const))
  const reports = new Map(snapshot.machineConfigNodes.map((report) => [report.metadata.name ?? '', report] as const))
  const configs = new Map(snapshot.machineConfigs.map((config) => [config.metadata.name ?? '', config] as const))
  const pods = groupBy(snapshot.pods, ({ spec }) => spec?.nodeName ?? '')
  const nodes = snapshot.nodes.map((node): NodeSituation => {
    const view = nodeToView(node)
    const ownership = ownershipOf(view, snapshot.pools)
    const pool = ownership.kind === 'owned' ? ownership.primary : undefined
    return { node, name: view.name, view, ownership, pool, report: reports.get(view.name), hold: holds.get(view.name) }
  })
  const members = groupBy(nodes, ({ pool }) => pool?.metadata.name ?? '')
  const podsOn = (node: string) => pods.get(node) ?? []
  let hosts: readonly HostView[] | undefined
  return {
    snapshot,
    now,
    nodes,
    pools: snapshot.pools.map((pool) => {
      const name = pool.metadata.name ?? ''
      return { pool, name, members: members.get(name) ?? [], ...(plans.get(name) ?? { hold: [], move: [] }) }
    }),
    podsOn,
    hosts: () => {
      hosts ??= hostViews(snapshot.nodes, podsOn)
      return hosts
    },
    config: (name) => configs.get(name),
    movingSince,
  }
}

type Plan = Pick<PoolSituation, 'hold' | 'move'>

/** What the rollout controller would do with each pool now: its own decision, not another one for show. */
function plansOf(snapshot: ClusterSnapshot, now: Date): ReadonlyMap<string, Plan> {
  const sources = rolloutSourcesOf(snapshot)
  const plans = new Map<string, Plan>()
  for (const { metadata } of snapshot.pools) {
    const decided = decideRolloutPass(metadata.name ?? '', sources, now)
    if (decided.kind !== 'passes') continue
    for (const { snapshot: observed, pass } of decided.passes) {
      const { hold, move } = pass.plan
      plans.set(observed.pool.metadata.name ?? '', { hold, move })
    }
  }
  return plans
}

export const nodeSubject = ({ name }: { readonly name: string }): FindingSubject => ({ kind: 'node', name })
export const poolSubject = ({ name }: { readonly name: string }): FindingSubject => ({ kind: 'mcp', name })
