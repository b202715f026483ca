import type {
  MachineConfigurationSpec,
  MachineConfigurationStatus,
  NodeDisruptionAction,
} from './generated/machineConfiguration.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type {
  MachineConfigurationSpec,
  MachineConfigurationStatus,
  MachineManager,
  ManualBootImageSkew,
  NodeDisruptionAction,
  NodeDisruptionClusterPolicies,
  NodeDisruptionPolicy,
  NodeDisruptionStatusAction,
} from './generated/machineConfiguration.ts'

export type NodeDisruptionActionType = NodeDisruptionAction['type']

/** Cluster-wide settings of the operator itself; one object, named `cluster`. */
export interface MachineConfiguration extends KubernetesObject {
  readonly spec: MachineConfigurationSpec
  readonly status?: MachineConfigurationStatus
}
export const MachineConfiguration = defineKind<MachineConfiguration>(
  'operator.openshift.io',
  'v1',
  'MachineConfiguration',
  'machineconfigurations',
)
