import type { PodCondition } from '../../api/core.ts'

/**
 * The conditions with this one set, or undefined when nothing would change. The transition time moves only when the
 * status does.
 */
export function withCondition(
  conditions: readonly PodCondition[] = [],
  wanted: PodCondition,
  now: Date,
): readonly PodCondition[] | undefined {
  const old = conditions.find(({ type }) => type === wanted.type)
  if (old && old.status === wanted.status && old.reason === wanted.reason && old.message === wanted.message)
    return undefined
  const lastTransitionTime = old?.status === wanted.status ? old.lastTransitionTime : secondsOf(now)
  const next = { ...wanted, ...(lastTransitionTime !== undefined && { lastTransitionTime }) }
  return old ? conditions.map((each) => (each === old ? next : each)) : [...conditions, next]
}

/** metav1.Time: whole seconds. */
export function secondsOf(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}
