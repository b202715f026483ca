import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

/** The members that the controllers write are always present on the wire (`""`, `false`, `null`, `[]`); tolerate absence. */
export interface MachineConfigSpec {
  readonly osImageURL?: string
  readonly baseOSExtensionsContainerImage?: string
  /** An inline Ignition config of any accepted version, as an object. */
  readonly config?: Readonly<Record<string, unknown>> | null
  readonly kernelArguments?: readonly string[] | null
  readonly extensions?: readonly string[]
  readonly fips?: boolean
  /** "", default, realtime or 64k-pages. */
  readonly kernelType?: string
}

/** One fragment of node configuration, or (named `rendered-<pool>-<hash>`) the merged result. */
export interface MachineConfig extends KubernetesObject {
  readonly spec?: MachineConfigSpec
}
export const MachineConfig = defineKind<MachineConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'MachineConfig',
  'machineconfigs',
)
