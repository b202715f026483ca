import type { MachineConfigPoolSpec, MachineConfigPoolStatus } from './generated/machineConfigPool.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type {
  CertExpiry,
  MachineConfigPoolConfiguration,
  MachineConfigPoolSpec,
  MachineConfigPoolStatus,
  PoolSynchronizerStatus,
} from './generated/machineConfigPool.ts'

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
