import { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigView } from '../forecast/configDiff.ts'
import { ignitionFromValue } from '../ignition/parseIgnition.ts'
import { emptyConfig, emptyConfigName } from './change.ts'
import { UnusableConfig } from './unusableConfig.ts'

/** A MachineConfig as read, with the text by which the host remembers it. Shared between daemons; never mutated. */
export interface LoadedConfig {
  readonly view: MachineConfigView
  /** The object as JSON: what `currentconfig` holds. */
  readonly text: string
}

export const emptyLoadedConfig: LoadedConfig = {
  view: emptyConfig,
  text: JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: MachineConfig.kind,
    metadata: { name: emptyConfigName },
    spec: {},
  }),
}

export function loadConfig(object: MachineConfig): LoadedConfig {
  const name = object.metadata.name ?? ''
  if (name === emptyConfigName) return emptyLoadedConfig
  const { config, osImageURL, kernelArguments, extensions, fips, kernelType } = object.spec ?? {}
  // A fragment without an Ignition part is complete all the same: kernel arguments alone, for instance.
  const parsed = ignitionFromValue(config ?? { ignition: { version: '3.5.0' } })
  if (!parsed.value)
    throw new UnusableConfig(
      `parsing Ignition config from machineconfig "${name}" failed with error: ${parsed.wireError ?? 'config is not valid'}`,
    )
  return {
    view: {
      name,
      osImageURL: osImageURL ?? '',
      kernelArguments: kernelArguments ?? [],
      extensions: extensions ?? [],
      fips: fips ?? false,
      kernelType: kernelType ?? '',
      ignition: parsed.value,
    },
    text: JSON.stringify(persistent(object)),
  }
}

/** The same config running an image that was built in the cluster; an empty image changes nothing. */
export function withImage(config: LoadedConfig, image: string): LoadedConfig {
  return image === '' ? config : { ...config, view: { ...config.view, layeredImage: image } }
}

/** Reads what the host remembers; `remedy` is what a person can do when it is not readable. */
export function parseRecordedConfig(
  text: string,
  path: string,
  remedy = "Remove it to let the node's annotations decide",
): LoadedConfig {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new UnusableConfig(`${path} is not JSON; the disk may be damaged. ${remedy}`, { cause: error })
  }
  if (!isMachineConfig(parsed)) throw new UnusableConfig(`${path} does not hold a MachineConfig with a name`)
  return { ...loadConfig(parsed), text }
}

function isMachineConfig(value: unknown): value is MachineConfig {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return false
  const { metadata } = value
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata && typeof metadata.name === 'string'
}

/** Bookkeeping of the API server does not belong on a disk, and would differ after a restore of etcd. */
function persistent(object: MachineConfig): MachineConfig {
  const { managedFields: _fields, resourceVersion: _version, ...metadata } = object.metadata
  return { ...object, apiVersion: 'machineconfiguration.openshift.io/v1', kind: MachineConfig.kind, metadata }
}
