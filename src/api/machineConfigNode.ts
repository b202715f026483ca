import type { MachineConfigNodeSpec, MachineConfigNodeStatus } from './generated/machineConfigNode.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type {
  InternalReleaseImageBundleStatus,
  MachineConfigNodePinnedImageSet,
  MachineConfigNodeSpec,
  MachineConfigNodeStatus,
} from './generated/machineConfigNode.ts'

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
