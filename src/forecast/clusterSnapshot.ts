import type { DaemonSet } from '../api/apps.ts'
import type { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { Lease } from '../api/coordination.ts'
import type { Node, Pod } from '../api/core.ts'
import type { KubeletConfig } from '../api/kubeletConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { OSImageStream } from '../api/osImageStream.ts'
import type { PodDisruptionBudget } from '../api/policy.ts'

/**
 * The objects of a cluster at one moment, as far as plans, explanations and backlogs ask for them. Made from a
 * controller's cache, from an API server, or from files; the same functions read all three.
 */
export interface ClusterSnapshot {
  readonly pools: readonly MachineConfigPool[]
  readonly nodes: readonly Node[]
  /** Fragments and rendered configs. */
  readonly machineConfigs: readonly MachineConfig[]
  readonly machineConfigNodes: readonly MachineConfigNode[]
  readonly controllerConfig: ControllerConfig | undefined
  readonly machineConfiguration: MachineConfiguration | undefined
  readonly kubeletConfigs: readonly KubeletConfig[]
  readonly containerRuntimeConfigs: readonly ContainerRuntimeConfig[]
  readonly machineOSConfigs: readonly MachineOSConfig[]
  readonly machineOSBuilds: readonly MachineOSBuild[]
  readonly osImageStream: OSImageStream | undefined
  readonly pods: readonly Pod[]
  readonly budgets: readonly PodDisruptionBudget[]
  readonly daemonSets: readonly DaemonSet[]
  /** The controllers' own Lease, where they elect a leader; absent where they do not, or where it was not read. */
  readonly leaderLease?: Lease | undefined
  /** Kinds, by plural name, that could not be read, each with the reason: what follows from them is not known. */
  readonly unreadable: Readonly<Record<string, string>>
}

/** A cluster with nothing in it, to build snapshots from. */
export const emptySnapshot: ClusterSnapshot = {
  pools: [],
  nodes: [],
  machineConfigs: [],
  machineConfigNodes: [],
  controllerConfig: undefined,
  machineConfiguration: undefined,
  kubeletConfigs: [],
  containerRuntimeConfigs: [],
  machineOSConfigs: [],
  machineOSBuilds: [],
  osImageStream: undefined,
  pods: [],
  budgets: [],
  daemonSets: [],
  unreadable: {},
}
