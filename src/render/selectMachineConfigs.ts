import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { isEmptyLabelSelector, labelSelectorToQuery, matchesLabels } from '../api/selectors.ts'

export type Selection =
  | { readonly kind: 'selected'; readonly configs: readonly MachineConfig[] }
  /** There is no selector, or a selector that no MachineConfig matches. */
  | { readonly kind: 'none' }
  /** An empty selector would match everything, rendered configs included: it selects nothing. */
  | { readonly kind: 'selectingAll' }
  | { readonly kind: 'invalid'; readonly message: string }

/** The MachineConfigs that feed a pool, in the order given. */
export function selectMachineConfigs(
  pool: Pick<MachineConfigPool, 'spec'>,
  configs: readonly MachineConfig[],
): Selection {
  const { machineConfigSelector: selector } = pool.spec
  if (!selector) return { kind: 'none' }
  if (isEmptyLabelSelector(selector)) return { kind: 'selectingAll' }
  const query = labelSelectorToQuery(selector)
  if ('error' in query) return { kind: 'invalid', message: `invalid label selector: ${query.error}` }
  const selected = configs.filter(({ metadata }) => matchesLabels(query.value, metadata.labels))
  return selected.length === 0 ? { kind: 'none' } : { kind: 'selected', configs: selected }
}
