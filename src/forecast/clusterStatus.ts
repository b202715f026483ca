import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { ConfigMap, Node } from '../api/core.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { bundleProblems } from '../certificates/bundles/bundleProblems.ts'
import { certificateProblems } from '../certificates/certificateProblems.ts'
import { nodeToView } from '../rollout/nodeView.ts'
import { type Ownership, ownershipOf } from '../rollout/primaryPool.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'
import type { Finding } from './finding.ts'
import type { JoinRecord } from './joinRecords.ts'
import { type NodeStatusLine, nodeStatusLine } from './nodeStatusLine.ts'
import { type PendingJoin, pendingJoins } from './pendingJoins.ts'
import { type PoolStatusLine, poolStatusLine, waitingSummaryOf } from './poolStatusLine.ts'

/** The cluster at a glance, made only from what the controllers and daemons published: no rule is decided again here. */
export interface ClusterStatus {
  readonly pools: readonly PoolStatusLine[]
  readonly nodes: readonly NodeStatusLine[]
  /** Machines that fetched a config and are not Ready Nodes yet. */
  readonly joins: readonly PendingJoin[]
  /** What a person should know about the config server's certificates. */
  readonly certificates: readonly string[]
  /** Sources of certificate bundles that cannot be used. */
  readonly bundles: readonly string[]
  /** Why pools and nodes do not get where they shall be, the gravest first. */
  readonly findings: readonly Finding[]
  /** Kinds, by plural name, that could not be read: nothing is said about what follows from them. */
  readonly unreadable: ClusterSnapshot['unreadable']
}

export interface ClusterObjects {
  readonly pools: readonly MachineConfigPool[]
  readonly nodes: readonly Node[]
  readonly machineConfigNodes: readonly MachineConfigNode[]
  readonly joins?: readonly JoinRecord[]
  /** The authorities that new machines are told to trust. */
  readonly bundle?: ConfigMap | undefined
  readonly controllerConfig?: ControllerConfig | undefined
  readonly findings?: readonly Finding[]
  readonly unreadable?: ClusterSnapshot['unreadable']
}

export function clusterStatus(objects: ClusterObjects, now: Date): ClusterStatus {
  const { pools, nodes, machineConfigNodes, joins = [], bundle, controllerConfig, findings = [] } = objects
  const reports = new Map(machineConfigNodes.map((object) => [object.metadata.name ?? '', object]))
  const holds = new Map(pools.flatMap((pool) => waitingSummaryOf(pool)?.nodes ?? []).map((held) => [held.node, held]))
  const owned = nodes.map((node) => ({ node, ownership: ownershipOf(nodeToView(node), pools) }))
  const lines = owned
    .map(({ node, ownership }) => {
      const name = node.metadata.name ?? ''
      return nodeStatusLine({ node, ownership, report: reports.get(name), hold: holds.get(name) })
    })
    .sort(byName)
  return {
    pools: pools.map((pool) => poolStatusLine(pool, membersOf(pool, owned), lines)).sort(byName),
    nodes: lines,
    joins: pendingJoins(joins, nodes, now),
    certificates: certificateProblems(bundle, now),
    bundles: bundleProblems(controllerConfig),
    findings,
    unreadable: objects.unreadable ?? {},
  }
}

/** Workers before `worker-10`, as people count. */
const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name, 'en', { numeric: true })

function membersOf(
  pool: MachineConfigPool,
  owned: readonly { readonly node: Node; readonly ownership: Ownership<MachineConfigPool> }[],
): ReadonlySet<string> {
  const members = owned.filter(({ ownership }) => ownership.kind === 'owned' && ownership.primary === pool)
  return new Set(members.map(({ node }) => node.metadata.name ?? ''))
}
