import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node, Pod } from '../api/core.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { singletonName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, settled } from '../kube/controller.ts'
import { Terminal } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { clearStaleBuildName } from './clearStaleBuildName.ts'
import { executePass } from './executePass.ts'
import { decideRolloutPass, type RolloutSources } from './observePool.ts'
import { PendingWrites } from './pendingWrites.ts'
import { MembershipMemory, poolMembership } from './poolMembership.ts'
import { operatorPodsIndex, rolloutWatches } from './rolloutWatches.ts'
import { SettlingTargets, statusOnly } from './settlingTarget.ts'

export interface RolloutPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  /** The feature gates that are on; `OSStreams` alone is the product's default. */
  readonly featureGates?: () => ReadonlySet<string>
}

const defaultGates: ReadonlySet<string> = new Set(['OSStreams'])

/**
 * Moves nodes to their pool's config: one pass over one pool per burst of changes. It writes desired config and image,
 * taints and topology on Nodes, the spec of their MachineConfigNodes, and the pool's status. The cache must have the
 * indices of `rolloutIndices`.
 */
export function rolloutController(ports: RolloutPorts): Controller {
  const { cache, kube, clock, events, log } = ports
  const pendingNodes = new PendingWrites<Node>()
  const memory = new MembershipMemory()
  const conflicts = new Set<string>()
  const settling = new SettlingTargets()

  return {
    name: 'rollout',
    watches: rolloutWatches(cache, events, (name) => pendingNodes.forget(name)),
    coalesceMs: 100,
    // One worker: two pools that move together (masters and arbiter) must not be decided side by side.
    workers: 1,

    async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
      const sources = observe(ports, pendingNodes, memory)
      tellConflicts(sources)
      const result = decideRolloutPass(key, sources, clock.now())
      switch (result.kind) {
        case 'nothing':
          if (!sources.pools.some(({ metadata }) => metadata.name === key)) settling.forget(key)
          return settled
        case 'error':
          throw new Terminal('RolloutImpossible', result.message)
        case 'passes':
          break
      }
      let unsettled: Date | undefined
      for (const { snapshot, pass: whole } of result.passes) {
        const { metadata, spec } = snapshot.pool
        const until = settling.look(metadata.name ?? '', spec.configuration?.name ?? '', clock.now())
        const pass = until ? statusOnly(whole) : whole
        unsettled = until ?? unsettled
        const node = (name: string) => sources.node(name)
        await executePass(snapshot.pool, pass, { kube, events, log, pendingNodes, node }, signal)
        if (pass.plan.move.length > 0) {
          log.info('nodes are sent to a config', {
            pool: snapshot.pool.metadata.name,
            nodes: pass.plan.move,
            config: snapshot.pool.spec.configuration?.name,
          })
        }
        await clearStaleBuildName(snapshot.layering, snapshot.pool, kube, signal)
      }
      const problem = result.passes.find(({ pass }) => pass.error)?.pass.error
      if (problem) throw new Terminal('RolloutHeld', problem)
      return unsettled ? again(unsettled) : settled
    },
  }

  /** A node of two custom pools is in nobody's counts: it is told on the node itself, once. */
  function tellConflicts({ membership, node }: ObservedSources): void {
    for (const name of [...conflicts]) if (!membership.conflicts.has(name)) conflicts.delete(name)
    for (const [name, message] of membership.conflicts) {
      const object = node(name)
      if (!object || conflicts.has(name)) continue
      conflicts.add(name)
      events.event(object, 'Warning', 'PoolConflict', message)
      log.warn('a node belongs to several custom pools', { node: name })
    }
  }
}

interface ObservedSources extends RolloutSources {
  readonly node: (name: string) => Node | undefined
}

/** The cache as a pass sees it, with our own last writes laid over it. */
function observe(
  { cache, featureGates = () => defaultGates }: RolloutPorts,
  pendingNodes: PendingWrites<Node>,
  memory: MembershipMemory,
): ObservedSources {
  const pools = cache.list(MachineConfigPool)
  const nodes = cache.list(Node).map((node) => pendingNodes.newest(node))
  const byName = new Map(nodes.map((node) => [node.metadata.name ?? '', node] as const))
  return {
    pools,
    node: (name) => byName.get(name),
    membership: poolMembership(pools, nodes, memory),
    machineOSConfigs: cache.list(MachineOSConfig),
    machineOSBuilds: cache.list(MachineOSBuild),
    featureGates: featureGates(),
    machineConfigNode: (name) => cache.get(MachineConfigNode, { name }),
    machineConfig: (name) => cache.get(MachineConfig, { name }),
    osImageStream: () => cache.get(OSImageStream, { name: singletonName.osImageStream }),
    controllerConfig: () => cache.get(ControllerConfig, { name: singletonName.controllerConfig }),
    operatorNode: () => {
      const pods = cache.byIndex(Pod, operatorPodsIndex.name, operatorPodsIndex.value)
      // Two operators at a time is a deployment under way: nothing is known then, and nothing deferred.
      return pods.length === 1 ? pods[0]?.spec?.nodeName : undefined
    },
  }
}
