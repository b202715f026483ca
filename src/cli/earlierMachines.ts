import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FleetNode, leftOut } from '../embedded/fleet.ts'
import { CliError, exitCodes } from './exitCodes.ts'

/** Names of the machines whose disks an earlier `mco up` left in a data directory. */
export async function earlierMachines(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(join(dataDir, 'nodes'), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** A directory's machines stay what they are: fewer, or others, need a directory of their own. */
export function requireAll(earlier: readonly string[], fleet: readonly FleetNode[], dataDir: string): void {
  const missing = leftOut(earlier, fleet)
  if (missing.length === 0) return
  const shown = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ` and ${missing.length - 5} more` : '')
  throw new CliError(
    `${dataDir} holds a cluster that also has ${shown}; continue it without --nodes, --pools and --scenario, give --data another directory, or delete this one`,
    exitCodes.usage,
  )
}
