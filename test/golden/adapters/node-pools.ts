import { nodeToView } from '../../../src/rollout/nodeView.ts'
import { ownershipOf } from '../../../src/rollout/primaryPool.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, { node, pools }) {
    const ownership = ownershipOf(nodeToView(node), pools)
    switch (ownership.kind) {
      case 'owned':
        return { pools: ownership.pools.map((pool) => pool.metadata.name) }
      case 'unmanaged':
        return { pools: [] }
      case 'conflict':
      case 'invalid':
        return { error: ownership.message }
    }
  },
}
