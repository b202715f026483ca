import type { ContainerRuntimeConfigSpec, ContainerRuntimeConfigStatus } from './generated/containerRuntimeConfig.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type {
  AdditionalStore,
  ContainerRuntimeConfigSpec,
  ContainerRuntimeConfigStatus,
  ContainerRuntimeConfiguration,
} from './generated/containerRuntimeConfig.ts'

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
