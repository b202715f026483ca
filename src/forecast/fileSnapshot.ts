import type { DaemonSet } from '../api/apps.ts'
import type { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { Node, Pod } from '../api/core.ts'
import type { KubeletConfig } from '../api/kubeletConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { singletonName } from '../api/names.ts'
import type { OSImageStream } from '../api/osImageStream.ts'
import type { PodDisruptionBudget } from '../api/policy.ts'
import type { ClusterSnapshot } from './clusterSnapshot.ts'

/**
 * A snapshot of objects that were exported from a cluster. Kinds that decide about drains and of which there is not one
 * object are named in `unreadable`: nobody can tell a cluster without pods from an export without them.
 */
export function fileSnapshot(objects: readonly KubernetesObject[]): ClusterSnapshot {
  // What the caller reads has been checked against the kinds' schemas, where there are any.
  const all = <T extends KubernetesObject>(kind: string): readonly T[] =>
    objects.filter((object) => object.kind === kind) as readonly KubernetesObject[] as readonly T[]
  const one = <T extends KubernetesObject>(kind: string, name: string): T | undefined =>
    all<T>(kind).find(({ metadata }) => metadata.name === name)
  const missing = Object.entries({ Pod: 'pods', PodDisruptionBudget: 'poddisruptionbudgets', DaemonSet: 'daemonsets' })
    .filter(([kind]) => all(kind).length === 0)
    .map(([, plural]) => [plural, 'there are none among the files'])
  return {
    pools: all<MachineConfigPool>('MachineConfigPool'),
    nodes: all<Node>('Node'),
    machineConfigs: all<MachineConfig>('MachineConfig'),
    machineConfigNodes: all<MachineConfigNode>('MachineConfigNode'),
    controllerConfig: one<ControllerConfig>('ControllerConfig', singletonName.controllerConfig),
    machineConfiguration: one<MachineConfiguration>('MachineConfiguration', singletonName.machineConfiguration),
    kubeletConfigs: all<KubeletConfig>('KubeletConfig'),
    containerRuntimeConfigs: all<ContainerRuntimeConfig>('ContainerRuntimeConfig'),
    machineOSConfigs: all<MachineOSConfig>('MachineOSConfig'),
    machineOSBuilds: all<MachineOSBuild>('MachineOSBuild'),
    osImageStream: one<OSImageStream>('OSImageStream', singletonName.osImageStream),
    pods: all<Pod>('Pod'),
    budgets: all<PodDisruptionBudget>('PodDisruptionBudget'),
    daemonSets: all<DaemonSet>('DaemonSet'),
    unreadable: Object.fromEntries(missing),
  }
}
