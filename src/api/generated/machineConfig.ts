// Generated from src/api/crds/machineconfigs.yaml by scripts/generate-types.ts. Do not edit.
export interface MachineConfigSpec {
  /** The operating-system image; an OCI pull spec. */
  readonly osImageURL?: string
  /** The image that holds the packages of the extensions. */
  readonly baseOSExtensionsContainerImage?: string
  /** An Ignition config of any accepted version, as an object. */
  readonly config?: Readonly<Record<string, unknown>> | null
  readonly kernelArguments?: readonly string[] | null
  readonly extensions?: readonly string[] | null
  /** Only at installation; a change is refused. */
  readonly fips?: boolean
  /** Empty, default, realtime or 64k-pages. */
  readonly kernelType?: string
}
