import type { Node } from '../../api/core.ts'
import type { MachineConfigNode } from '../../api/machineConfigNode.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { clusterStatus } from '../clusterStatus.ts'
import type { NodeStatusLine } from '../nodeStatusLine.ts'

/** One node as `mco status` shows it, with the objects behind it. */
export interface NodeFact {
  readonly line: NodeStatusLine
  readonly node: Node
  readonly report: MachineConfigNode | undefined
}

/** Every node once: what the series say is what `mco status` says. */
export function nodeFacts(snapshot: ClusterSnapshot, now: Date): readonly NodeFact[] {
  const nodes = new Map(snapshot.nodes.map((node) => [node.metadata.name ?? '', node]))
  const reports = new Map(snapshot.machineConfigNodes.map((report) => [report.metadata.name ?? '', report]))
  return clusterStatus(snapshot, now).nodes.flatMap((line) => {
    const node = nodes.get(line.name)
    return node ? [{ line, node, report: reports.get(line.name) }] : []
  })
}

/** An update of ours is at work on it. */
export const isUnderWay = ({ line }: NodeFact): boolean => underWay.has(line.state)

const underWay: ReadonlySet<NodeStatusLine['state']> = new Set(['Draining', 'Updating', 'Rebooting', 'Uncordoning'])

export const hasFailed = ({ line }: NodeFact): boolean => line.state === 'Degraded' || line.state === 'Unreconcilable'
