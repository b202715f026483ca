import type { MachineConfig } from '../api/machineConfig.ts'
import { objectMetaMembers } from '../api/meta.ts'
import { withGoEscapes } from '../ignition/goText.ts'

/** A MachineConfig as the exact JSON text that the original writes to a machine: members in the order of the API's types. */
export function machineConfigText({ kind, apiVersion, metadata, spec = {} }: MachineConfig, indent = 0): string {
  const { osImageURL, baseOSExtensionsContainerImage, config, kernelArguments, extensions, fips, kernelType } = spec
  const ordered = {
    ...(kind && { kind }),
    ...(apiVersion && { apiVersion }),
    metadata: Object.fromEntries(
      metadataOrder.map((name) => [name, metadata[name]]).filter(([, value]) => value !== undefined && value !== null),
    ),
    spec: {
      osImageURL: osImageURL ?? '',
      ...(baseOSExtensionsContainerImage && { baseOSExtensionsContainerImage }),
      config: config ?? null,
      kernelArguments: kernelArguments ?? null,
      extensions: extensions ?? null,
      fips: fips ?? false,
      kernelType: kernelType ?? '',
    },
  }
  return withGoEscapes(JSON.stringify(ordered, null, indent))
}

/** Who wrote which field is of no use on a machine. */
const metadataOrder = objectMetaMembers.filter((member) => member !== 'managedFields')
