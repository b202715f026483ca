import type { PolicyAction } from '../forecast/disruptionPolicies.ts'

/** The service that stands behind the special treatment of registries.conf (spec: daemon 7.4). */
export const containerRuntime = 'crio.service'

/** Which service an action reloads; undefined when it reloads none, or names none. */
export function reloadedService({ type, reload }: PolicyAction): string | undefined {
  if (type === 'Special') return containerRuntime
  return type === 'Reload' ? reload?.serviceName : undefined
}
