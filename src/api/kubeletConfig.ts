import type { KubeletConfigSpec, KubeletConfigStatus } from './generated/kubeletConfig.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type { KubeletConfigSpec, KubeletConfigStatus } from './generated/kubeletConfig.ts'

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
