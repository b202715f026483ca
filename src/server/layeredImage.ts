import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { buildPhase } from '../rollout/layering.ts'

export interface LayeredImageInput {
  readonly pool: Pick<MachineConfigPool, 'metadata' | 'status'>
  /** The rendered config that the machine gets. */
  readonly config: string
  readonly machineOSConfigs: readonly MachineOSConfig[]
  readonly machineOSBuilds: readonly MachineOSBuild[]
  /** Hosts (with a port where there is one) of the cluster's own registry: no machine reaches it before it has joined. Undefined: not known. */
  readonly internalRegistries: readonly string[] | undefined
}

/**
 * The image that a new machine starts with, so that it reboots once instead of twice; undefined means the base image. Only an
 * image that was built for exactly this config, that a machine of the pool already runs, and that can be pulled during a first
 * boot.
 */
export function layeredImage(input: LayeredImageInput): string | undefined {
  const { pool, config, machineOSConfigs, machineOSBuilds, internalRegistries } = input
  if ((pool.status?.updatedMachineCount ?? 0) === 0) return undefined
  const owner = machineOSConfigs.find(({ spec }) => spec.machineConfigPool.name === pool.metadata.name)
  const image = owner?.status?.currentImagePullSpec
  if (!owner || !image) return undefined
  const build = machineOSBuilds.find(
    ({ spec }) => spec.machineOSConfig.name === owner.metadata.name && spec.machineConfig.name === config,
  )
  if (!build || buildPhase(build) !== 'succeeded' || !internalRegistries) return undefined
  return internalRegistries.some((registry) => image.startsWith(registry)) ? undefined : image
}
