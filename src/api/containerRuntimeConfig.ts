import type { IntOrString } from './intOrString.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject, LabelSelector, LooseCondition } from './meta.ts'

export interface ContainerRuntimeConfiguration {
  readonly pidsLimit?: number
  readonly logLevel?: string
  readonly logSizeMax?: IntOrString
  readonly overlaySize?: IntOrString
  readonly defaultRuntime?: 'crun' | 'runc'
  readonly additionalLayerStores?: readonly { readonly path: string }[]
  readonly additionalImageStores?: readonly { readonly path: string }[]
  readonly additionalArtifactStores?: readonly { readonly path: string }[]
  readonly containerGomaxprocsBehavior?: 'Autosize' | 'Disabled'
}

export interface ContainerRuntimeConfigSpec {
  readonly machineConfigPoolSelector?: LabelSelector
  readonly containerRuntimeConfig: ContainerRuntimeConfiguration
}

export interface ContainerRuntimeConfigStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly LooseCondition[] | null
}

/** Container runtime settings for the pools that it selects. */
export interface ContainerRuntimeConfig extends KubernetesObject {
  readonly spec: ContainerRuntimeConfigSpec
  readonly status?: ContainerRuntimeConfigStatus
}
export const ContainerRuntimeConfig = defineKind<ContainerRuntimeConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'ContainerRuntimeConfig',
  'containerruntimeconfigs',
)
