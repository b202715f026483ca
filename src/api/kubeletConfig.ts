import { defineKind } from './kind.ts'
import type { KubernetesObject, LabelSelector, LooseCondition } from './meta.ts'
import type { TlsSecurityProfile } from './tlsSecurityProfile.ts'

export interface KubeletConfigSpec {
  readonly autoSizingReserved?: boolean
  readonly logLevel?: number
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

/** Kubelet settings for the pools that it selects. */
export interface KubeletConfig extends KubernetesObject {
  readonly spec: KubeletConfigSpec
  readonly status?: KubeletConfigStatus
}
export const KubeletConfig = defineKind<KubeletConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'KubeletConfig',
  'kubeletconfigs',
)
