import type { Node } from '../../src/api/core.ts'
import type { MachineConfig } from '../../src/api/machineConfig.ts'
import type { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import { type ClusterSnapshot, emptySnapshot } from '../../src/forecast/clusterSnapshot.ts'
import { renderOf } from '../../src/forecast/renderOf.ts'
import { fragmentParser } from '../../src/render/parseFragment.ts'
import { controllerConfig, pool, roleSelector } from '../kube/renderObjects.ts'

export const now = new Date('2026-03-01T00:00:00Z')

/** A pool that selects nodes by its role, and the MachineConfigs of its role and of workers. */
export function rolePool(name: string, spec: MachineConfigPool['spec'] = {}): MachineConfigPool {
  const roles = name === 'worker' || name === 'master' || name === 'arbiter' ? [name] : ['worker', name]
  return pool(name, {
    machineConfigSelector: roleSelector(...roles),
    nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } },
    ...spec,
  })
}

/** Renders every pool of a cluster as its controller would, and makes that the pool's target. */
export function rendered(snapshot: ClusterSnapshot, time = now): ClusterSnapshot {
  const { parse } = fragmentParser()
  let machineConfigs = snapshot.machineConfigs
  const pools = snapshot.pools.map((each) => {
    const decision = renderOf({ ...snapshot, machineConfigs }, each, { parse }, time)
    if (decision.kind !== 'rendered') throw new Error(`${each.metadata.name}: ${JSON.stringify(decision)}`)
    const { rendered: result } = decision
    const name = result.metadata.name ?? ''
    const created = { ...result, metadata: { ...result.metadata, creationTimestamp: time.toISOString() } }
    if (!machineConfigs.some(({ metadata }) => metadata.name === name)) machineConfigs = [...machineConfigs, created]
    const target = decision.actions.find((action) => action.kind === 'setTarget')
    const configuration = target?.kind === 'setTarget' ? target.configuration : (each.spec.configuration ?? { name })
    return { ...each, spec: { ...each.spec, configuration } }
  })
  return { ...snapshot, pools, machineConfigs }
}

/** A cluster whose pools are rendered, complete and run by their nodes. */
export function settledCluster(
  pools: readonly MachineConfigPool[],
  fragments: readonly MachineConfig[],
  nodes: readonly Node[],
): ClusterSnapshot {
  const start = { ...emptySnapshot, pools, machineConfigs: fragments, nodes, controllerConfig: controllerConfig() }
  const whole = rendered(start, new Date('2025-12-01T00:00:00Z'))
  const settled = whole.pools.map((each) => {
    const { configuration = { name: '' } } = each.spec
    return {
      ...each,
      status: { configuration: { name: configuration.name ?? '', source: configuration.source ?? [] } },
    }
  })
  const roleOf = (node: Node) =>
    [...settled]
      .sort((a, b) => rank(a) - rank(b))
      .find(({ metadata }) => node.metadata.labels?.[`node-role.kubernetes.io/${metadata.name}`] !== undefined)
  return {
    ...whole,
    pools: settled,
    nodes: nodes.map((node) => running(node, roleOf(node)?.spec.configuration?.name ?? '')),
  }
}

/** As the rollout ranks them: master, then custom pools, then workers. */
const rank = ({ metadata }: MachineConfigPool): number =>
  metadata.name === 'master' ? 0 : metadata.name === 'worker' ? 2 : 1

/** The node with `config` in place of the placeholder `present`, in current and desired config. */
function running(node: Node, config: string): Node {
  const annotations = Object.entries(node.metadata.annotations ?? {}).map(([key, value]) => {
    const isConfig = key === nodeAnnotation.currentConfig || key === nodeAnnotation.desiredConfig
    return [key, isConfig && value === present ? config : value] as const
  })
  return { ...node, metadata: { ...node.metadata, annotations: Object.fromEntries(annotations) } }
}

/** Stands for the config of a node's pool in `settledCluster`. */
export const present = 'present'
