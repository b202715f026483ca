import { nodeAnnotation } from '../../api/names.ts'
import { selectMachineConfigs } from '../../render/selectMachineConfigs.ts'
import { nodeToView } from '../../rollout/nodeView.ts'
import { ownershipOf } from '../../rollout/primaryPool.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import type { Finding, FindingSubject } from '../finding.ts'

/**
 * The findings that matter to one object: a node and its pools, a pool and its nodes, a MachineConfig and the pools that it
 * goes to. Undefined when the object does not exist.
 */
export function findingsAbout(
  findings: readonly Finding[],
  snapshot: ClusterSnapshot,
  subject: FindingSubject,
): readonly Finding[] | undefined {
  const related = relatedTo(snapshot, subject)
  return related && findings.filter(({ subject: { kind, name } }) => related.has(`${kind}/${name}`))
}

function relatedTo(snapshot: ClusterSnapshot, { kind, name }: FindingSubject): ReadonlySet<string> | undefined {
  switch (kind) {
    case 'node': {
      const node = snapshot.nodes.find(({ metadata }) => metadata.name === name)
      if (!node) return undefined
      return new Set([`node/${name}`, ...poolsOf(snapshot, node).map((pool) => `mcp/${pool}`)])
    }
    case 'mcp':
      return snapshot.pools.some(({ metadata }) => metadata.name === name)
        ? new Set(withNodes(snapshot, [name]))
        : undefined
    case 'mc': {
      const config = snapshot.machineConfigs.find(({ metadata }) => metadata.name === name)
      const runs = nodesNaming(snapshot, name)
      if (!config && runs.length === 0) return undefined
      const pools = snapshot.pools.filter((pool) => {
        const selection = selectMachineConfigs(pool, snapshot.machineConfigs)
        const takes = selection.kind === 'selected' && selection.configs.some((selected) => selected === config)
        return takes || pool.spec.configuration?.name === name || pool.status?.configuration?.name === name
      })
      const names = pools.map(({ metadata }) => metadata.name ?? '')
      return new Set([`mc/${name}`, ...runs.map((node) => `node/${node}`), ...withNodes(snapshot, names)])
    }
    default:
      return kind satisfies never
  }
}

type Node = ClusterSnapshot['nodes'][number]

/** Also those that fight for it. */
function poolsOf({ pools }: ClusterSnapshot, node: Node): readonly string[] {
  const ownership = ownershipOf(
    nodeToView(node),
    pools.filter(({ spec }) => spec !== undefined),
  )
  if (ownership.kind === 'owned') return [ownership.primary.metadata.name ?? '']
  return ownership.kind === 'conflict' ? ownership.pools.map(({ metadata }) => metadata.name ?? '') : []
}

function withNodes(snapshot: ClusterSnapshot, pools: readonly string[]): readonly string[] {
  const members = snapshot.nodes.filter((node) => poolsOf(snapshot, node).some((pool) => pools.includes(pool)))
  return [...pools.map((pool) => `mcp/${pool}`), ...members.map(({ metadata }) => `node/${metadata.name}`)]
}

const nodesNaming = ({ nodes }: ClusterSnapshot, config: string): readonly string[] =>
  nodes
    .filter(({ metadata: { annotations = {} } }) =>
      [nodeAnnotation.currentConfig, nodeAnnotation.desiredConfig].some((key) => annotations[key] === config),
    )
    .map(({ metadata }) => metadata.name ?? '')
