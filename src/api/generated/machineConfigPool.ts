// Generated from src/api/crds/machineconfigpools.yaml by scripts/generate-types.ts. Do not edit.
import type { IntOrString } from '../intOrString.ts'
import type { LabelSelector, LooseCondition, ObjectReference } from '../meta.ts'

/** Which fragments, which nodes, and how they move. */
export interface MachineConfigPoolSpec {
  /** Which MachineConfigs feed the pool; absent or empty selects none. */
  readonly machineConfigSelector?: LabelSelector
  /** Which nodes belong to the pool; absent or empty selects none. */
  readonly nodeSelector?: LabelSelector
  /** Holds the rollout; rendering continues. */
  readonly paused?: boolean
  /** How many nodes may be unavailable at once; a number or a percentage, 1 when absent. */
  readonly maxUnavailable?: IntOrString
  /** The rendered MachineConfig that nodes shall have, and the fragments it was made from. */
  readonly configuration?: MachineConfigPoolConfiguration
  /** PinnedImageSets whose images the pool's nodes keep. */
  readonly pinnedImageSets?: readonly {
    readonly name: string
  }[]
  /** The OS image stream of the pool's nodes; absent means the cluster's default stream. */
  readonly osImageStream?: {
    readonly name: string
  }
}

/** The rendered MachineConfig that nodes shall have, and the fragments it was made from. */
export interface MachineConfigPoolConfiguration {
  readonly apiVersion?: string
  readonly fieldPath?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
  readonly resourceVersion?: string
  readonly uid?: string
  readonly source?: readonly ObjectReference[]
}

/** How far the pool is. */
export interface MachineConfigPoolStatus {
  /** The generation of the spec that this status is about. */
  readonly observedGeneration?: number
  /** The rendered MachineConfig that every node has had last. */
  readonly configuration?: MachineConfigPoolConfiguration
  /** Nodes of the pool. */
  readonly machineCount?: number
  /** Nodes that run the pool's configuration. */
  readonly updatedMachineCount?: number
  /** Nodes that run the pool's configuration and take pods. */
  readonly readyMachineCount?: number
  /** Nodes that cannot take pods, or are being updated. */
  readonly unavailableMachineCount?: number
  /** Nodes that gave up; the condition NodeDegraded has their reasons. */
  readonly degradedMachineCount?: number
  /** Updated, Updating, Degraded, NodeDegraded, RenderDegraded, and those of image builds. */
  readonly conditions?: readonly LooseCondition[] | null
  readonly certExpirys?: readonly CertExpiry[] | null
  readonly poolSynchronizersStatus?: readonly PoolSynchronizerStatus[]
  /** The stream that the pool's nodes run, once all do. */
  readonly osImageStream?: {
    readonly name: string
  }
}

export interface CertExpiry {
  readonly bundle: string
  readonly expiry?: string | null
  readonly subject: string
}

export interface PoolSynchronizerStatus {
  readonly poolSynchronizerType: 'PinnedImageSets'
  readonly machineCount: number
  readonly updatedMachineCount: number
  readonly readyMachineCount: number
  readonly availableMachineCount: number
  readonly unavailableMachineCount: number
  readonly observedGeneration?: number
}
