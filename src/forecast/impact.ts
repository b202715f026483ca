import type { PolicyAction } from './disruptionPolicies.ts'

/** What people ask about a change: the strongest thing that happens to a node. */
export type Impact = 'none' | 'reload' | 'restart' | 'drain' | 'reboot'

/** The strongest of a list of actions; a drain that the change needs counts even when no action asks for it. */
export function impactOf(actions: readonly PolicyAction[], drain: boolean): Impact {
  const types = new Set(actions.map((action) => action.type))
  if (types.has('Reboot')) return 'reboot'
  if (drain || types.has('Drain')) return 'drain'
  if (types.has('Restart')) return 'restart'
  return types.has('Reload') || types.has('Special') || types.has('DaemonReload') ? 'reload' : 'none'
}

/** `Restart chronyd.service`, `Reboot`. */
export function describeAction(action: PolicyAction): string {
  if (action.type === 'Restart') return `Restart ${action.restart?.serviceName}`
  if (action.type === 'Reload') return `Reload ${action.reload?.serviceName}`
  return action.type === 'Special' ? 'Reload crio.service (drain only if the change is unsafe)' : action.type
}
