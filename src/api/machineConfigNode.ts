import { defineKind } from './kind.ts'
import type { Condition, KubernetesObject } from './meta.ts'

export interface MachineConfigNodeSpec {
  readonly node: { readonly name: string }
  readonly pool: { readonly name: string }
  readonly configVersion: { readonly desired: string }
  readonly configImage?: { readonly desiredImage: string }
}

export interface MachineConfigNodePinnedImageSet {
  readonly name: string
  readonly currentGeneration?: number
  readonly desiredGeneration?: number
  readonly lastFailedGeneration?: number
  readonly lastFailedGenerationError?: string
}

export interface InternalReleaseImageBundleStatus {
  readonly name: string
  readonly image?: string
  readonly conditions?: readonly Condition[]
}

export interface MachineConfigNodeStatus {
  readonly conditions?: readonly Condition[]
  readonly observedGeneration?: number
  readonly configVersion?: { readonly current?: string; readonly desired: string }
  readonly configImage?: { readonly currentImage?: string; readonly desiredImage?: string }
  readonly pinnedImageSets?: readonly MachineConfigNodePinnedImageSet[]
  readonly irreconcilableChanges?: readonly { readonly fieldPath: string; readonly diff: string }[]
  readonly internalReleaseImage?: { readonly releases: readonly InternalReleaseImageBundleStatus[] }
}

/** The progress of one node, phase by phase; it has the node's name. */
export interface MachineConfigNode extends KubernetesObject {
  readonly spec: MachineConfigNodeSpec
  readonly status?: MachineConfigNodeStatus
}
export const MachineConfigNode = defineKind<MachineConfigNode>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineConfigNode',
  'machineconfignodes',
)
