// Generated from src/api/crds/machineconfigurations.yaml by scripts/generate-types.ts. Do not edit.
import type { Condition, LabelSelector } from '../meta.ts'

export interface MachineConfigurationSpec {
  readonly managementState?: string
  readonly logLevel?: '' | 'Normal' | 'Debug' | 'Trace' | 'TraceAll'
  readonly operatorLogLevel?: '' | 'Normal' | 'Debug' | 'Trace' | 'TraceAll'
  readonly unsupportedConfigOverrides?: Readonly<Record<string, unknown>> | null
  readonly observedConfig?: Readonly<Record<string, unknown>> | null
  readonly forceRedeploymentReason?: string
  readonly failedRevisionLimit?: number
  readonly succeededRevisionLimit?: number
  /** Which machine resources get new boot images; an empty list opts out. */
  readonly managedBootImages?: {
    readonly machineManagers?: readonly MachineManager[]
  }
  /** What a change to a file, a unit or the SSH keys costs the node. */
  readonly nodeDisruptionPolicy?: NodeDisruptionPolicy
  /** Parts of the machine config that may differ from what a node was installed with. */
  readonly irreconcilableValidationOverrides?: {
    readonly storage?: readonly ('Disks' | 'FileSystems' | 'Raid')[]
  }
  readonly bootImageSkewEnforcement?: {
    readonly mode: 'Manual' | 'None'
    readonly manual?: ManualBootImageSkew
  }
}

export interface MachineManager {
  readonly apiGroup: 'machine.openshift.io'
  readonly resource: 'machinesets' | 'controlplanemachinesets'
  readonly selection: {
    readonly mode: 'All' | 'Partial' | 'None'
    readonly partial?: {
      readonly machineResourceSelector: LabelSelector
    }
  }
}

/** What a change to a file, a unit or the SSH keys costs the node. */
export interface NodeDisruptionPolicy {
  readonly files?: readonly {
    /** A file, or a directory with everything below it. */
    readonly path: string
    readonly actions: readonly NodeDisruptionAction[]
  }[]
  readonly units?: readonly {
    readonly name: string
    readonly actions: readonly NodeDisruptionAction[]
  }[]
  readonly sshkey?: {
    readonly actions: readonly NodeDisruptionAction[]
  }
}

export interface NodeDisruptionAction {
  readonly type: 'Reboot' | 'Drain' | 'Reload' | 'Restart' | 'DaemonReload' | 'None'
  readonly reload?: {
    readonly serviceName: string
  }
  readonly restart?: {
    readonly serviceName: string
  }
}

export interface ManualBootImageSkew {
  readonly mode: 'OCPVersion' | 'RHCOSVersion'
  readonly ocpVersion?: string
  readonly rhcosVersion?: string
}

export interface MachineConfigurationStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly Condition[]
  readonly nodeDisruptionPolicyStatus?: {
    /** The policy in force, defaults included. */
    readonly clusterPolicies?: NodeDisruptionClusterPolicies
  }
  /** The boot image settings in force. */
  readonly managedBootImagesStatus?: {
    readonly machineManagers?: readonly MachineManager[]
  }
  readonly bootImageSkewEnforcementStatus?: {
    readonly mode: 'Automatic' | 'Manual' | 'None'
    readonly automatic?: {
      readonly ocpVersion?: string
      readonly rhcosVersion?: string
    }
    readonly manual?: ManualBootImageSkew
  }
}

/** The policy in force, defaults included. */
export interface NodeDisruptionClusterPolicies {
  readonly files?: readonly {
    readonly path: string
    readonly actions: readonly NodeDisruptionStatusAction[]
  }[]
  readonly units?: readonly {
    readonly name: string
    readonly actions: readonly NodeDisruptionStatusAction[]
  }[]
  readonly sshkey?: {
    readonly actions: readonly NodeDisruptionStatusAction[]
  }
}

export interface NodeDisruptionStatusAction {
  readonly type: 'Reboot' | 'Drain' | 'Reload' | 'Restart' | 'DaemonReload' | 'None' | 'Special'
  readonly reload?: {
    readonly serviceName: string
  }
  readonly restart?: {
    readonly serviceName: string
  }
}
