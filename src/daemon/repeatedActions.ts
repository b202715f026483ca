import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { equalValue } from '../ignition/equalValue.ts'

/**
 * Positions of actions that an earlier one has done already: everything is on disk before the first of them runs. A
 * service that was restarted before the service manager read its units again is restarted once more.
 */
export function repeatedActions(actions: readonly PolicyAction[]): ReadonlySet<number> {
  const repeated = new Set<number>()
  let done: PolicyAction[] = []
  for (const [index, action] of actions.entries()) {
    if (done.some((earlier) => equalValue(earlier, action))) repeated.add(index)
    else done = action.type === 'DaemonReload' ? [action] : [...done, action]
  }
  return repeated
}
