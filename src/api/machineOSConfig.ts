import { defineKind } from './kind.ts'
import type { Condition, KubernetesObject } from './meta.ts'

export interface BuildObjectReference {
  readonly group: string
  readonly resource: string
  readonly namespace?: string
  readonly name: string
}

export interface MachineOSContainerFile {
  readonly containerfileArch: 'ARM64' | 'AMD64' | 'PPC64LE' | 'S390X' | 'NoArch'
  readonly content: string
}

export interface MachineOSConfigSpec {
  readonly machineConfigPool: { readonly name: string }
  readonly imageBuilder: { readonly imageBuilderType: 'Job' }
  readonly baseImagePullSecret?: { readonly name: string }
  readonly renderedImagePushSecret: { readonly name: string }
  readonly renderedImagePushSpec: string
  readonly containerFile?: readonly MachineOSContainerFile[]
}

export interface MachineOSConfigStatus {
  readonly conditions?: readonly Condition[]
  readonly observedGeneration?: number
  readonly currentImagePullSpec?: string
  readonly machineOSBuild?: BuildObjectReference
}

/** How a pool's own OS image is built; it has the pool's name. */
export interface MachineOSConfig extends KubernetesObject {
  readonly spec: MachineOSConfigSpec
  readonly status?: MachineOSConfigStatus
}
export const MachineOSConfig = defineKind<MachineOSConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineOSConfig',
  'machineosconfigs',
)

export interface MachineOSBuildSpec {
  readonly machineConfig: { readonly name: string }
  readonly machineOSConfig: { readonly name: string }
  readonly renderedImagePushSpec: string
}

export interface MachineOSBuildStatus {
  readonly conditions?: readonly Condition[]
  readonly builder?: { readonly imageBuilderType: 'Job'; readonly job?: BuildObjectReference }
  readonly relatedObjects?: readonly BuildObjectReference[]
  readonly buildStart?: string
  readonly buildEnd?: string
  readonly digestedImagePushSpec?: string
}

/** One build of one rendered config for one MachineOSConfig. */
export interface MachineOSBuild extends KubernetesObject {
  readonly spec: MachineOSBuildSpec
  readonly status?: MachineOSBuildStatus
}
export const MachineOSBuild = defineKind<MachineOSBuild>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineOSBuild',
  'machineosbuilds',
)
