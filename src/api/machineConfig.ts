import type { MachineConfigSpec } from './generated/machineConfig.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type { MachineConfigSpec } from './generated/machineConfig.ts'

/** One fragment of node configuration, or (named `rendered-<pool>-<hash>`) the merged result. Controllers write every member of
 * the spec, empty ones as `""`, `false`, `null` or `[]`; readers tolerate absence. */
export interface MachineConfig extends KubernetesObject {
  readonly spec?: MachineConfigSpec
}
export const MachineConfig = defineKind<MachineConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineConfig',
  'machineconfigs',
)
