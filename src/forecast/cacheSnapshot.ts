import { DaemonSet } from '../api/apps.ts'
import { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node, Pod } from '../api/core.ts'
import { KubeletConfig } from '../api/kubeletConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { singletonName } from '../api/names.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { PodDisruptionBudget } from '../api/policy.ts'
import type { Cache } from '../kube/controller.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'

/**
 * A snapshot of what a controller's cache holds now. Caches keep no managedFields: who changed an object must be asked of
 * the API server.
 *
 * @throws Retryable while the cache of one of the kinds is not complete.
 */
export function cacheSnapshot(cache: Cache): ClusterSnapshot {
  return {
    pools: cache.list(MachineConfigPool),
    nodes: cache.list(Node),
    machineConfigs: cache.list(MachineConfig),
    machineConfigNodes: cache.list(MachineConfigNode),
    controllerConfig: cache.get(ControllerConfig, { name: singletonName.controllerConfig }),
    machineConfiguration: cache.get(MachineConfiguration, { name: singletonName.machineConfiguration }),
    kubeletConfigs: cache.list(KubeletConfig),
    containerRuntimeConfigs: cache.list(ContainerRuntimeConfig),
    machineOSConfigs: cache.list(MachineOSConfig),
    machineOSBuilds: cache.list(MachineOSBuild),
    osImageStream: cache.get(OSImageStream, { name: singletonName.osImageStream }),
    pods: cache.list(Pod),
    budgets: cache.list(PodDisruptionBudget),
    daemonSets: cache.list(DaemonSet),
    unreadable: {},
  }
}
