import type { MachineConfigSpec } from '../api/machineConfig.ts'
import type { IgnitionConfig } from '../ignition/types.ts'
import type { ServedVersion } from './acceptHeader.ts'

export type Migration =
  | { readonly kind: 'migrated'; readonly config: IgnitionConfig; readonly spec: MachineConfigSpec }
  | { readonly kind: 'refused'; readonly message: string }

/**
 * Ignition before 3.3 knows no kernel arguments: the wanted ones move to the MachineConfig's own list, which the first boot applies
 * from the encapsulated file. Arguments to remove have no such place. Without a version nothing moves.
 */
export function migrateKernelArguments(
  config: IgnitionConfig,
  spec: MachineConfigSpec,
  version: ServedVersion | undefined,
): Migration {
  const { kernelArguments, ...others } = config
  if (kernelArguments === undefined || version === undefined || !isWithoutKernelArguments.has(version))
    return { kind: 'migrated', config, spec }
  const { shouldExist = [], shouldNotExist = [] } = kernelArguments
  if (shouldNotExist.length > 0) {
    const message = `can't serve version ${version} with ignition KernelArguments.ShouldNotExist populated`
    return { kind: 'refused', message: `failed to migrate kernel args ${message}` }
  }
  if (shouldExist.length === 0) return { kind: 'migrated', config: others, spec }
  const moved = { ...spec, kernelArguments: [...(spec.kernelArguments ?? []), ...shouldExist] }
  return { kind: 'migrated', config: others, spec: moved }
}

const isWithoutKernelArguments: ReadonlySet<ServedVersion> = new Set(['2.2.0', '3.0.0', '3.1.0', '3.2.0'])
