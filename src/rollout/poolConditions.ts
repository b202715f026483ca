import type { LooseCondition } from '../api/meta.ts'

export interface ConditionValue {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string
  readonly message?: string
}

/**
 * Sets one condition of a pool. An equal one stays where it is; a changed one moves to the end of the list, and its
 * transition time moves only when the status flips.
 */
export function setPoolCondition(
  conditions: readonly LooseCondition[],
  { type, status, reason = '', message = '' }: ConditionValue,
  now: string,
): readonly LooseCondition[] {
  const present = conditions.findLast((condition) => condition.type === type)
  const repeated = conditions.some((condition) => condition.type === type && condition !== present)
  if (present && present.status === status && present.reason === reason && present.message === message && !repeated)
    return conditions
  const lastTransitionTime = present?.status === status ? present.lastTransitionTime : now
  const others = conditions.filter((condition) => condition.type !== type)
  return [...others, { type, status, lastTransitionTime, reason, message }]
}

export const isConditionTrue = (conditions: readonly LooseCondition[], type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === 'True')

export const conditionMessage = (conditions: readonly LooseCondition[], type: string): string =>
  conditions.find((condition) => condition.type === type)?.message ?? ''
