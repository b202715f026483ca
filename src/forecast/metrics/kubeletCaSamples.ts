import { pausedKubeletCa } from '../../certificates/pausedKubeletCa.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { type ClusterSample, sample } from './clusterFamilies.ts'

/** For every pool, 0 where nothing is at stake, as in the original: its alert asks for more than 0. */
export function kubeletCaSamples({ pools, machineConfigs }: ClusterSnapshot): readonly ClusterSample[] {
  const configs = new Map(machineConfigs.map((config) => [config.metadata.name ?? '', config]))
  return pools.map((pool) => {
    const wanted = configs.get(pool.spec.configuration?.name ?? '')
    const present = configs.get(pool.status?.configuration?.name ?? '')
    const end = pausedKubeletCa(pool, wanted, present)
    return sample('machine_config_controller_paused_pool_kubelet_ca', { pool: pool.metadata.name ?? '' }, end)
  })
}
