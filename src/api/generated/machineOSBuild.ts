// Generated from src/api/crds/machineosbuilds.yaml by scripts/generate-types.ts. Do not edit.
import type { Condition } from '../meta.ts'

export interface MachineOSBuildSpec {
  readonly machineConfig: {
    readonly name: string
  }
  readonly machineOSConfig: {
    readonly name: string
  }
  readonly renderedImagePushSpec: string
}

export interface MachineOSBuildStatus {
  readonly conditions?: readonly Condition[]
  readonly builder?: {
    readonly imageBuilderType: 'Job'
    readonly job?: BuildObjectReference
  }
  readonly relatedObjects?: readonly BuildObjectReference[]
  readonly buildStart?: string
  readonly buildEnd?: string
  readonly digestedImagePushSpec?: string
}

export interface BuildObjectReference {
  readonly group: string
  readonly resource: string
  readonly namespace?: string
  readonly name: string
}
