import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import type { PoolRollout } from '../api/poolRollout.ts'
import type { ClusterSnapshot } from '../forecast/clusterSnapshot.ts'
import { selectMachineConfigs } from '../render/selectMachineConfigs.ts'

/**
 * The pools that a MachineConfig concerns: those that select it now, and those that had it, as long as anything remembers
 * it, since taking it away is a change too.
 */
export function poolsOfFragment(
  name: string,
  { pools, machineConfigs }: Pick<ClusterSnapshot, 'pools' | 'machineConfigs'>,
  rollouts: readonly PoolRollout[] = [],
): readonly string[] {
  const fragment = machineConfigs.filter(({ metadata }) => metadata.name === name)
  const selects = (pool: MachineConfigPool) => selectMachineConfigs(pool, fragment).kind === 'selected'
  const remembers = ({ metadata, spec, status }: MachineConfigPool) =>
    [...(spec.configuration?.source ?? []), ...(status?.configuration?.source ?? [])].some(
      (source) => source.name === name,
    ) || rollouts.some((rollout) => rollout.spec.pool === metadata.name && isNamedIn(rollout, name))
  return pools
    .filter((pool) => selects(pool) || remembers(pool))
    .map(({ metadata }) => metadata.name ?? '')
    .sort()
}

const isNamedIn = ({ spec }: PoolRollout, name: string): boolean =>
  [...(spec.fragments ?? []), ...(spec.change?.removed ?? [])].some((fragment) => fragment.name === name)
