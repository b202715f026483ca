import { rankNodes } from '../../../src/rollout/nodeOrder.ts'
import { nodeToView } from '../../../src/rollout/nodeView.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run: (_topic, { nodes }) => ({ order: rankNodes(nodes.map(nodeToView)).map(({ name }) => name) }),
}
