import type { ClusterPolicies } from '../forecast/disruptionPolicies.ts'
import { effectivePolicies } from '../forecast/effectivePolicies.ts'
import type { ContainerRuntime } from '../forecast/runtimePolicies.ts'
import { CliError } from './exitCodes.ts'
import type { OfflineObjects } from './fragments.ts'

/** The policies that the input brings for a pool. A status in it may be older than its spec, so it does not count. */
export function offlinePolicies(
  { machineConfiguration, pools }: OfflineObjects,
  poolName: string,
  runtime: ContainerRuntime = 'cri-o',
): ClusterPolicies {
  const { status: _status, ...settings } = machineConfiguration ?? { metadata: {}, spec: {} }
  const pool = pools.find(({ object }) => object.metadata?.name === poolName)?.object
  const { policies, problem } = effectivePolicies({
    settings,
    poolName,
    poolAnnotations: pool?.metadata.annotations,
    runtime,
  })
  if (problem !== undefined) throw new CliError(problem)
  return policies
}
