// Generated from src/api/crds/machineconfigs.yaml by scripts/generate-types.ts. Do not edit.
/** What nodes shall have. In a fragment every member is optional; in a rendered config all are set. */
export interface MachineConfigSpec {
  /** The operating-system image; an OCI pull spec. */
  readonly osImageURL?: string
  /** The image that holds the packages of the extensions. */
  readonly baseOSExtensionsContainerImage?: string
  /** An Ignition config of any accepted version, as an object. */
  readonly config?: Readonly<Record<string, unknown>> | null
  /** Appended to the kernel's command line, in the order of the merge; duplicates stay. */
  readonly kernelArguments?: readonly string[] | null
  /** Sets of packages to add to the operating system. */
  readonly extensions?: readonly string[] | null
  /** Only at installation; a change is refused. */
  readonly fips?: boolean
  /** Empty, default, realtime or 64k-pages. */
  readonly kernelType?: string
}
