import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { historyLimitAnnotation } from '../api/poolRollout.ts'

const defaultLimit = 10
const maxLimit = 100

/**
 * How many rollouts of a pool, and how many of its newest rendered configs, are kept. What cannot be read as a number from 1
 * to 100 counts as not said.
 */
export function historyLimit({ metadata }: Pick<MachineConfigPool, 'metadata'>): number {
  const text = metadata.annotations?.[historyLimitAnnotation] ?? ''
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= maxLimit ? limit : defaultLimit
}
