import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { equalValue } from '../ignition/equalValue.ts'
import { reloadedService } from './reloadedService.ts'

/**
 * Positions of actions that another one does already: everything is on disk before the first of them runs. A service that
 * was restarted before the service manager read its units again is restarted once more. A restart reads everything that a
 * reload would, wherever it stands: the one before it would only fail where this change is the first to start the service.
 */
export function repeatedActions(actions: readonly PolicyAction[]): ReadonlySet<number> {
  const repeated = new Set<number>()
  let done: PolicyAction[] = []
  for (const [index, action] of actions.entries()) {
    const others = [...done, ...actions.slice(index + 1).filter(({ type }) => type === 'Restart')]
    if (done.some((earlier) => isSame(earlier, action)) || others.some((other) => isCovered(action, other)))
      repeated.add(index)
    else done = action.type === 'DaemonReload' ? [action] : [...done, action]
  }
  return repeated
}

function isSame(a: PolicyAction, b: PolicyAction): boolean {
  const reloaded = reloadedService(a)
  return equalValue(a, b) || (reloaded !== undefined && reloaded === reloadedService(b))
}

function isCovered(action: PolicyAction, { type, restart }: PolicyAction): boolean {
  const reloaded = reloadedService(action)
  return type === 'Restart' && reloaded !== undefined && reloaded === restart?.serviceName
}
