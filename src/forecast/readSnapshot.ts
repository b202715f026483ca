import { DaemonSet } from '../api/apps.ts'
import { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Lease } from '../api/coordination.ts'
import { Node, Pod } from '../api/core.ts'
import type { Kind } from '../api/kind.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { operatorNamespace, singletonName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { PodDisruptionBudget } from '../api/policy.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'

/**
 * Reads a snapshot from an API server. Without pools and nodes there is nothing to say, so their errors are thrown; every
 * other kind that is not served or not permitted is named in `unreadable`.
 *
 * @throws what `kube` throws for pools and nodes, and for anything but 403 and 404 of other kinds.
 */
export async function readSnapshot(kube: KubeApi): Promise<ClusterSnapshot> {
  const unreadable: Record<string, string> = {}
  const items = async <T extends KubernetesObject>(kind: Kind<T>): Promise<readonly T[]> =>
    (await kube.list(kind)).items
  const optional = <T extends KubernetesObject>(kind: Kind<T>): Promise<readonly T[]> =>
    items(kind).catch((error: unknown) => {
      if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) throw error
      // A kind that the cluster does not have has no objects: nothing is hidden.
      if (error.status === 403) unreadable[kind.plural] = error.message
      return []
    })
  const [pools, nodes, machineConfigs, machineConfigNodes, controllerConfigs, machineConfigurations] =
    await Promise.all([
      items(MachineConfigPool),
      items(Node),
      optional(MachineConfig),
      optional(MachineConfigNode),
      optional(ControllerConfig),
      optional(MachineConfiguration),
    ])
  const [kubeletConfigs, containerRuntimeConfigs, machineOSConfigs, machineOSBuilds, osImageStreams] =
    await Promise.all([
      optional(KubeletConfig),
      optional(ContainerRuntimeConfig),
      optional(MachineOSConfig),
      optional(MachineOSBuild),
      optional(OSImageStream),
    ])
  const [pods, budgets, daemonSets] = await Promise.all([
    optional(Pod),
    optional(PodDisruptionBudget),
    optional(DaemonSet),
  ])
  const leaderLease = await kube
    .get(Lease, { name: singletonName.controllerConfig, namespace: operatorNamespace })
    .catch(undefinedIfHidden)
  return {
    pools,
    nodes,
    machineConfigs,
    machineConfigNodes,
    controllerConfig: named(controllerConfigs, singletonName.controllerConfig),
    machineConfiguration: named(machineConfigurations, singletonName.machineConfiguration),
    kubeletConfigs,
    containerRuntimeConfigs,
    machineOSConfigs,
    machineOSBuilds,
    osImageStream: named(osImageStreams, singletonName.osImageStream),
    pods,
    budgets,
    daemonSets,
    leaderLease,
    unreadable,
  }
}

/** Controllers of one process take no lease; or the user may not see it. */
function undefinedIfHidden(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
  throw error
}

const named = <T extends KubernetesObject>(objects: readonly T[], name: string): T | undefined =>
  objects.find(({ metadata }) => metadata.name === name)
