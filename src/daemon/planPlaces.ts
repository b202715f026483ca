import type { Change } from './change.ts'
import { parentOf } from './hostPaths.ts'
import { writtenPaths } from './managedPaths.ts'
import type { PlanBuilder } from './planBuilder.ts'

/**
 * Finds files and units that could never be written: something above them is no directory, on the host's disk or in the
 * same config, or a directory stands in a unit's place. Otherwise the first write would tell, after the node was drained.
 */
export function planPlaces(plan: PlanBuilder, { next, facts }: Change): void {
  const written = writtenPaths(next)
  const files = new Set((next.ignition.storage?.files ?? []).map((file) => file.path))
  for (const path of written) {
    // What stands in the place of a plain file is that file's own problem (planFiles.ts).
    if (!files.has(path) && facts.paths.get(path)?.kind === 'directory')
      plan.problem(path, `${path} should be a unit file but is a directory; move it away`)
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
