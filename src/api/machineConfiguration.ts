import { defineKind } from './kind.ts'
import type { Condition, KubernetesObject, LabelSelector } from './meta.ts'

export type NodeDisruptionActionType = 'Reboot' | 'Drain' | 'Reload' | 'Restart' | 'DaemonReload' | 'None'

export interface NodeDisruptionAction<T extends string = NodeDisruptionActionType> {
  readonly type: T
  readonly reload?: { readonly serviceName: string }
  readonly restart?: { readonly serviceName: string }
}

/** In status the action types include `Special`, which users cannot ask for. */
export type NodeDisruptionStatusAction = NodeDisruptionAction<NodeDisruptionActionType | 'Special'>

export interface NodeDisruptionPolicy<A = NodeDisruptionAction> {
  readonly files?: readonly { readonly path: string; readonly actions: readonly A[] }[]
  readonly units?: readonly { readonly name: string; readonly actions: readonly A[] }[]
  readonly sshkey?: { readonly actions: readonly A[] }
}

export interface MachineManager {
  readonly resource: 'machinesets' | 'controlplanemachinesets'
  readonly apiGroup: 'machine.openshift.io'
  readonly selection: {
    readonly mode: 'All' | 'Partial' | 'None'
    readonly partial?: { readonly machineResourceSelector: LabelSelector }
  }
}

export interface ManualBootImageSkew {
  readonly mode: 'OCPVersion' | 'RHCOSVersion'
  readonly ocpVersion?: string
  readonly rhcosVersion?: string
}

export interface MachineConfigurationSpec {
  readonly managementState?: string
  readonly logLevel?: '' | 'Normal' | 'Debug' | 'Trace' | 'TraceAll'
  readonly operatorLogLevel?: '' | 'Normal' | 'Debug' | 'Trace' | 'TraceAll'
  readonly unsupportedConfigOverrides?: Readonly<Record<string, unknown>> | null
  readonly observedConfig?: Readonly<Record<string, unknown>> | null
  readonly forceRedeploymentReason?: string
  readonly failedRevisionLimit?: number
  readonly succeededRevisionLimit?: number
  readonly managedBootImages?: { readonly machineManagers?: readonly MachineManager[] }
  readonly nodeDisruptionPolicy?: NodeDisruptionPolicy
  readonly irreconcilableValidationOverrides?: { readonly storage?: readonly ('Disks' | 'FileSystems' | 'Raid')[] }
  readonly bootImageSkewEnforcement?: { readonly mode: 'Manual' | 'None'; readonly manual?: ManualBootImageSkew }
}

export interface MachineConfigurationStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly nodeDisruptionPolicyStatus?: { readonly clusterPolicies?: NodeDisruptionPolicy<NodeDisruptionStatusAction> }
  readonly managedBootImagesStatus?: { readonly machineManagers?: readonly MachineManager[] }
  readonly bootImageSkewEnforcementStatus?: {
    readonly mode: 'Automatic' | 'Manual' | 'None'
    readonly automatic?: { readonly ocpVersion?: string; readonly rhcosVersion?: string }
    readonly manual?: ManualBootImageSkew
  }
}

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
