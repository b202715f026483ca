// Generated from src/api/crds/machineconfignodes.yaml by scripts/generate-types.ts. Do not edit.
import type { Condition } from '../meta.ts'

export interface MachineConfigNodeSpec {
  readonly node: {
    readonly name: string
  }
  readonly pool: {
    /** not-yet-set while unknown. */
    readonly name: string
  }
  readonly configVersion: {
    /** not-yet-set while unknown. */
    readonly desired: string
  }
  readonly configImage?: {
    readonly desiredImage: string
  }
}

export interface MachineConfigNodeStatus {
  readonly conditions?: readonly Condition[]
  readonly observedGeneration?: number
  readonly configVersion?: {
    readonly current?: string
    readonly desired: string
  }
  readonly configImage?: {
    readonly currentImage?: string
    readonly desiredImage?: string
  }
  readonly pinnedImageSets?: readonly MachineConfigNodePinnedImageSet[]
  readonly irreconcilableChanges?: readonly {
    readonly fieldPath: string
    readonly diff: string
  }[]
  readonly internalReleaseImage?: {
    readonly releases: readonly InternalReleaseImageBundleStatus[]
  }
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
