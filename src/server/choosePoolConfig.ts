import type { MachineConfigPool } from '../api/machineConfigPool.ts'

/** Which rendered config a new machine of a pool gets. */
export interface ChosenConfig {
  /** Empty while the pool has none. */
  readonly name: string
  readonly source: 'spec' | 'status'
}

/**
 * The target, once a machine of the pool already runs it; until then what the whole pool last completed. Newcomers must not
 * wait for an update that the old config makes impossible, nor boot into a change just to reboot, nor be the first to try one.
 */
export function choosePoolConfig({ spec, status }: Pick<MachineConfigPool, 'spec' | 'status'>): ChosenConfig {
  return (status?.updatedMachineCount ?? 0) > 0
    ? { name: spec.configuration?.name ?? '', source: 'spec' }
    : { name: status?.configuration?.name ?? '', source: 'status' }
}
