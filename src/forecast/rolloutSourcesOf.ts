import type { RolloutSources } from '../rollout/observePool.ts'
import { MembershipMemory, poolMembership } from '../rollout/poolMembership.ts'
import { operatorPodsIndex } from '../rollout/rolloutWatches.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'

/** The snapshot as `decideRolloutPass` asks for it. Hand in the same `memory` again when the next snapshot differs little. */
export function rolloutSourcesOf(
  snapshot: ClusterSnapshot,
  memory: MembershipMemory = new MembershipMemory(),
  featureGates: ReadonlySet<string> = new Set(['OSStreams']),
): RolloutSources {
  const named = <T extends { readonly metadata: { readonly name?: string } }>(objects: readonly T[]) => {
    let byName: ReadonlyMap<string, T> | undefined
    return (name: string): T | undefined => {
      byName ??= new Map(objects.map((object) => [object.metadata.name ?? '', object] as const))
      return byName.get(name)
    }
  }
  return {
    pools: snapshot.pools,
    membership: poolMembership(snapshot.pools, snapshot.nodes, memory),
    machineOSConfigs: snapshot.machineOSConfigs,
    machineOSBuilds: snapshot.machineOSBuilds,
    featureGates,
    machineConfigNode: named(snapshot.machineConfigNodes),
    machineConfig: named(snapshot.machineConfigs),
    osImageStream: () => snapshot.osImageStream,
    controllerConfig: () => snapshot.controllerConfig,
    operatorNode: () => {
      const pods = snapshot.pods.filter((pod) => operatorPodsIndex.valuesOf(pod).length > 0)
      return pods.length === 1 ? pods[0]?.spec?.nodeName : undefined
    },
  }
}
