import type { IntOrString } from './intOrString.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject, LabelSelector, LooseCondition, ObjectReference } from './meta.ts'

/** The config that nodes shall have (spec) or have (status): a rendered MachineConfig and the fragments it was made from. */
export interface MachineConfigPoolConfiguration extends ObjectReference {
  readonly source?: readonly ObjectReference[]
}

export interface MachineConfigPoolSpec {
  readonly machineConfigSelector?: LabelSelector
  readonly nodeSelector?: LabelSelector
  readonly paused?: boolean
  readonly maxUnavailable?: IntOrString
  readonly configuration?: MachineConfigPoolConfiguration
  readonly pinnedImageSets?: readonly { readonly name: string }[]
  readonly osImageStream?: { readonly name: string }
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

export interface CertExpiry {
  readonly bundle: string
  readonly subject: string
  readonly expiry?: string | null
}

export interface MachineConfigPoolStatus {
  readonly observedGeneration?: number
  readonly configuration?: MachineConfigPoolConfiguration
  readonly machineCount?: number
  readonly updatedMachineCount?: number
  readonly readyMachineCount?: number
  readonly unavailableMachineCount?: number
  readonly degradedMachineCount?: number
  readonly conditions?: readonly LooseCondition[] | null
  readonly certExpirys?: readonly CertExpiry[] | null
  readonly poolSynchronizersStatus?: readonly PoolSynchronizerStatus[]
  readonly osImageStream?: { readonly name: string }
}

/** Which MachineConfigs are merged for which nodes, and how fast nodes move to the result. */
export interface MachineConfigPool extends KubernetesObject {
  readonly spec: MachineConfigPoolSpec
  readonly status?: MachineConfigPoolStatus
}
export const MachineConfigPool = defineKind<MachineConfigPool>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineConfigPool',
  'machineconfigpools',
)
