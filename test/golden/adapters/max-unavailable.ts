import { maxUnavailableOf } from '../../../src/rollout/maxUnavailable.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, { maxUnavailable, nodes }) {
    const budget = maxUnavailableOf(maxUnavailable, nodes)
    return budget.kind === 'value' ? { value: budget.nodes } : { error: budget.message }
  },
}
