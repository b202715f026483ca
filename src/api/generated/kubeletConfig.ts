// Generated from src/api/crds/kubeletconfigs.yaml by scripts/generate-types.ts. Do not edit.
import type { LabelSelector, LooseCondition } from '../meta.ts'
import type { TlsSecurityProfile } from '../tlsSecurityProfile.ts'

export interface KubeletConfigSpec {
  /** Whether the kubelet's reserved resources follow the node's size; absent means the platform's default. */
  readonly autoSizingReserved?: boolean
  readonly logLevel?: number
  /** Labels of the pools that get these settings; absent selects none. */
  readonly machineConfigPoolSelector?: LabelSelector
  /** A subset of the kubelet's own KubeletConfiguration. */
  readonly kubeletConfig?: Readonly<Record<string, unknown>>
  readonly tlsSecurityProfile?: TlsSecurityProfile
  readonly systemGomaxprocsBehavior?: 'Autosize' | 'Disabled'
}

export interface KubeletConfigStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly LooseCondition[] | null
}
