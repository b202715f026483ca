// Generated from src/api/crds/containerruntimeconfigs.yaml by scripts/generate-types.ts. Do not edit.
import type { IntOrString } from '../intOrString.ts'
import type { LabelSelector, LooseCondition } from '../meta.ts'

export interface ContainerRuntimeConfigSpec {
  /** Labels of the pools that get these settings; absent selects none. */
  readonly machineConfigPoolSelector?: LabelSelector
  readonly containerRuntimeConfig: ContainerRuntimeConfiguration
}

export interface ContainerRuntimeConfiguration {
  readonly pidsLimit?: number
  /** fatal, panic, error, warn, info or debug. */
  readonly logLevel?: string
  /** At least 8192 bytes; negative means without limit. */
  readonly logSizeMax?: IntOrString
  readonly overlaySize?: IntOrString
  readonly defaultRuntime?: 'crun' | 'runc'
  readonly additionalLayerStores?: readonly AdditionalStore[]
  readonly additionalImageStores?: readonly AdditionalStore[]
  readonly additionalArtifactStores?: readonly AdditionalStore[]
  readonly containerGomaxprocsBehavior?: 'Autosize' | 'Disabled'
}

export interface AdditionalStore {
  readonly path: string
}

export interface ContainerRuntimeConfigStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly LooseCondition[] | null
}
