import type { MachineOSBuildSpec, MachineOSBuildStatus } from './generated/machineOSBuild.ts'
import type { MachineOSConfigSpec, MachineOSConfigStatus } from './generated/machineOSConfig.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type { MachineOSBuildSpec, MachineOSBuildStatus } from './generated/machineOSBuild.ts'
export type {
  BuildObjectReference,
  MachineOSConfigSpec,
  MachineOSConfigStatus,
  MachineOSContainerFile,
} from './generated/machineOSConfig.ts'

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
