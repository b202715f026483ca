import { fragmentParser } from '../../../src/render/parseFragment.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run: (_topic, { spec }) => ({ error: fragmentParser().parse({ metadata: { name: 'a' }, spec }).invalid ?? null }),
  ignorePositions: ['error'],
}
