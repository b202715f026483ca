import { nodeLabel } from '../api/names.ts'
import type { NodeView } from './nodeView.ts'

/** The order in which nodes move when not all fit: one zone after the other, in it the oldest first, zoneless last. */
export function rankNodes(nodes: readonly NodeView[]): NodeView[] {
  return nodes.toSorted((a, b) => byZone(a, b) || a.createdMs - b.createdMs || byText(a.name, b.name))
}

function byZone(a: NodeView, b: NodeView): number {
  const [zoneA, zoneB] = [a.labels[nodeLabel.zone], b.labels[nodeLabel.zone]]
  if (zoneA === undefined || zoneB === undefined) return Number(zoneA === undefined) - Number(zoneB === undefined)
  return byText(zoneA, zoneB)
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
