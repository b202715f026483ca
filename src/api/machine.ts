import { defineKind } from './kind.ts'
import type { Condition, KubernetesObject, LabelSelector } from './meta.ts'

/** machine.openshift.io: where the boot images of future machines are written. Only the members in use. */
export interface MachineTemplateSpec {
  readonly metadata?: TemplateMeta
  readonly providerSpec?: { readonly value?: Readonly<Record<string, unknown>> }
  readonly providerID?: string
  readonly authoritativeAPI?: string
}

export interface TemplateMeta {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export interface MachineSet extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly deletePolicy?: 'Random' | 'Newest' | 'Oldest'
    readonly selector?: LabelSelector
    readonly authoritativeAPI?: 'MachineAPI' | 'ClusterAPI'
    readonly template?: { readonly metadata?: TemplateMeta; readonly spec?: MachineTemplateSpec }
  }
  readonly status?: {
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly availableReplicas?: number
    readonly observedGeneration?: number
    readonly authoritativeAPI?: 'MachineAPI' | 'ClusterAPI' | 'Migrating'
  }
}
export const MachineSet = defineKind<MachineSet>('machine.openshift.io', 'v1beta1', 'MachineSet', 'machinesets', {
  namespaced: true,
})

export interface ControlPlaneMachineSet extends KubernetesObject {
  readonly spec: {
    readonly replicas?: 3 | 4 | 5
    readonly state?: 'Active' | 'Inactive'
    readonly strategy?: { readonly type?: 'RollingUpdate' | 'OnDelete' | 'Recreate' }
    readonly selector: LabelSelector
    readonly machineNamePrefix?: string
    readonly template: {
      readonly machineType: 'machines_v1beta1_machine_openshift_io'
      readonly machines_v1beta1_machine_openshift_io?: {
        readonly metadata: TemplateMeta
        readonly failureDomains?: Readonly<Record<string, unknown>>
        readonly spec: MachineTemplateSpec
      }
    }
  }
  readonly status?: {
    readonly conditions?: readonly Condition[]
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly updatedReplicas?: number
    readonly unavailableReplicas?: number
  }
}
export const ControlPlaneMachineSet = defineKind<ControlPlaneMachineSet>(
  'machine.openshift.io',
  'v1',
  'ControlPlaneMachineSet',
  'controlplanemachinesets',
  { namespaced: true },
)
