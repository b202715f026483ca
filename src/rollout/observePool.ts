import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { poolName } from '../api/names.ts'
import type { OSImageStream } from '../api/osImageStream.ts'
import { bootPoolLabels } from './bootPoolLabels.ts'
import { certificatesOf } from './certificatesOf.ts'
import { arbiterTopology, decideArbiterPass, decideMasterPass } from './controlPlanePass.ts'
import { findLayering } from './layering.ts'
import { nodeToView } from './nodeView.ts'
import { osImageStreamOf } from './osImageStreamOf.ts'
import type { PoolMembership } from './poolMembership.ts'
import { decidePoolPass, type PoolPass, type PoolSnapshot } from './poolPass.ts'

/** Everything that a pass over a pool may ask for: the controller answers from its cache, tests and plans from lists. */
export interface RolloutSources {
  readonly pools: readonly MachineConfigPool[]
  readonly membership: PoolMembership
  readonly machineOSConfigs: readonly MachineOSConfig[]
  readonly machineOSBuilds: readonly MachineOSBuild[]
  readonly featureGates: ReadonlySet<string>
  readonly machineConfigNode: (name: string) => MachineConfigNode | undefined
  readonly machineConfig: (name: string) => MachineConfig | undefined
  readonly osImageStream: () => OSImageStream | undefined
  readonly controllerConfig: () => ControllerConfig | undefined
  /** The node of the one pod that runs the operator. */
  readonly operatorNode: () => string | undefined
}

export type RolloutPass =
  | {
      readonly kind: 'passes'
      readonly passes: readonly { readonly snapshot: PoolSnapshot; readonly pass: PoolPass }[]
    }
  /** The pool is gone, or its renderer has not named a config yet. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'error'; readonly message: string }

/** The turn of the pool `name`: the pass over it, and in some topologies over a pool that moves together with it. */
export function decideRolloutPass(name: string, sources: RolloutSources, now: Date): RolloutPass {
  const pool = sources.pools.find(({ metadata }) => metadata.name === name)
  if (!pool?.spec.configuration?.name) return { kind: 'nothing' }
  const snapshots = (wanted: string) => {
    const found = sources.pools.find(({ metadata }) => metadata.name === wanted)
    return found ? observePool(found, sources) : undefined
  }
  const own = observePool(pool, sources)
  if (own.kind === 'error') return own
  const { snapshot } = own
  if (snapshot.topology === arbiterTopology && name === poolName.arbiter) {
    const master = snapshots(poolName.master)
    if (master?.kind === 'error') return master
    return { kind: 'passes', passes: [{ snapshot, pass: decideArbiterPass(snapshot, master?.snapshot, now) }] }
  }
  if (snapshot.topology === arbiterTopology && name === poolName.master) {
    const arbiter = snapshots(poolName.arbiter)
    if (arbiter?.kind === 'error') return arbiter
    return decideMasterPass(snapshot, arbiter?.snapshot, now)
  }
  return { kind: 'passes', passes: [{ snapshot, pass: decidePoolPass(snapshot, now) }] }
}

type Observed =
  | { readonly kind: 'observed'; readonly snapshot: PoolSnapshot }
  | { readonly kind: 'error'; readonly message: string }

function observePool(pool: MachineConfigPool, sources: RolloutSources): Observed {
  const name = pool.metadata.name ?? ''
  const { invalid, membersOf } = sources.membership
  if (invalid !== undefined) {
    return { kind: 'error', message: `error getting nodes for pool "${name}", sync error: ${invalid}` }
  }
  const nodes = membersOf(name).map(nodeToView)
  const controllerConfig = sources.controllerConfig()
  const operatorNode = name === poolName.master ? sources.operatorNode() : undefined
  const config = pool.spec.configuration?.name ?? ''
  const poolNamed = (wanted: string) => sources.pools.find(({ metadata }) => metadata.name === wanted)
  return {
    kind: 'observed',
    snapshot: {
      pool,
      nodes,
      layering: findLayering({ name, config }, sources.machineOSConfigs, sources.machineOSBuilds),
      machineConfigNodes: nodes.flatMap((node) => sources.machineConfigNode(node.name) ?? []),
      featureGates: sources.featureGates,
      certificates: certificatesOf(controllerConfig),
      osImageStream: () => osImageStreamOf(pool, sources.osImageStream(), sources.machineConfig),
      topology: controllerConfig?.spec?.infra?.status?.controlPlaneTopology ?? '',
      bootPoolLabels: (node) => bootPoolLabels(node, sources.machineConfig, poolNamed),
      ...(operatorNode && { operatorNode }),
    },
  }
}
