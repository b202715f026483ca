import type { Change } from './change.ts'
import { parentOf } from './hostPaths.ts'
import { writtenPaths } from './managedPaths.ts'
import type { PlanBuilder } from './planBuilder.ts'

/**
 * Finds files that could never be created because something above them is no directory: on the host's disk, or in the
 * same config. Otherwise the first write of it would tell, after the node was drained.
 */
export function planPlaces(plan: PlanBuilder, { next, facts }: Change): void {
  const written = writtenPaths(next)
  for (const path of written) {
    const above = parentsOf(path).find((parent) => written.has(parent))
    if (above !== undefined) {
      plan.problem(path, `${path} cannot be written: the config makes ${above} a file, not a directory`)
      continue
    }
    const obstacle = facts.obstacles.get(path)
    if (obstacle !== undefined)
      plan.problem(path, `${path} cannot be written: ${obstacle} is not a directory on this host; move it away`)
  }
}

function parentsOf(path: string): readonly string[] {
  const parent = parentOf(path)
  return parent === '/' ? [] : [...parentsOf(parent), parent]
}
