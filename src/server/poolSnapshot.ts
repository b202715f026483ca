import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import { choosePoolConfig } from './choosePoolConfig.ts'
import { layeredImage } from './layeredImage.ts'
import type { ClusterBundles } from './refreshCertificates.ts'
import type { JoinFile, ServeSnapshot } from './servedConfig.ts'
import { failure, type ServeFailure } from './serveFailure.ts'

export interface PoolFacts {
  readonly poolName: string
  readonly pool: MachineConfigPool | undefined
  readonly configOf: (name: string) => MachineConfig | undefined
  readonly bundles: ClusterBundles
  readonly machineOSConfigs: readonly MachineOSConfig[]
  readonly machineOSBuilds: readonly MachineOSBuild[]
  readonly internalRegistries: readonly string[] | undefined
  readonly joinFiles: readonly JoinFile[]
}

export type ChosenSnapshot =
  | { readonly kind: 'chosen'; readonly snapshot: ServeSnapshot; readonly source: 'spec' | 'status' }
  | ServeFailure

/** What a new machine of the pool is made of, in a running cluster. Every failure is one that may pass: Ignition tries again. */
export function choosePoolSnapshot(facts: PoolFacts): ChosenSnapshot {
  const { poolName, pool, configOf, bundles, machineOSConfigs, machineOSBuilds, internalRegistries, joinFiles } = facts
  if (!pool) return failure('PoolNotFound', `could not fetch pool. err: ${notFound('machineconfigpool', poolName)}`)
  const { name, source } = choosePoolConfig(pool)
  if (name === '') {
    return failure(
      'PoolWithoutConfig',
      `pool ${poolName} has no rendered config yet (${source}.configuration.name is empty)`,
    )
  }
  const rendered = configOf(name)
  if (!rendered) {
    return failure('ConfigNotFound', `could not fetch config ${name}, err: ${notFound('machineconfig', name)}`)
  }
  const image = layeredImage({ pool, config: name, machineOSConfigs, machineOSBuilds, internalRegistries })
  return {
    kind: 'chosen',
    source,
    snapshot: { pool: poolName, config: name, rendered, bundles, joinFiles, ...(image !== undefined && { image }) },
  }
}

const notFound = (kind: string, name: string): string =>
  `${kind}.machineconfiguration.openshift.io ${JSON.stringify(name)} not found`
