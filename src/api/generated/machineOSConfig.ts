// Generated from src/api/crds/machineosconfigs.yaml by scripts/generate-types.ts. Do not edit.
import type { Condition } from '../meta.ts'

export interface MachineOSConfigSpec {
  readonly machineConfigPool: {
    readonly name: string
  }
  readonly imageBuilder: {
    readonly imageBuilderType: 'Job'
  }
  /** Secret in the operator's namespace; absent means a copy of the cluster's pull secret. */
  readonly baseImagePullSecret?: {
    readonly name: string
  }
  readonly renderedImagePushSecret: {
    readonly name: string
  }
  readonly renderedImagePushSpec: string
  readonly containerFile?: readonly MachineOSContainerFile[]
}

export interface MachineOSContainerFile {
  readonly containerfileArch?: 'ARM64' | 'AMD64' | 'PPC64LE' | 'S390X' | 'NoArch'
  readonly content: string
}

export interface MachineOSConfigStatus {
  readonly conditions?: readonly Condition[]
  readonly observedGeneration?: number
  readonly currentImagePullSpec?: string
  readonly machineOSBuild?: BuildObjectReference
}

export interface BuildObjectReference {
  readonly group: string
  readonly resource: string
  readonly namespace?: string
  readonly name: string
}
