import type { HostFacts } from './hostFacts.ts'
import { noOriginalPath, originalPath } from './hostPaths.ts'
import type { PlanBuilder } from './planBuilder.ts'

/**
 * Before a config first takes a path: keeps the vendor's content, or leaves a stamp that there was none. Kept
 * originals and stamps have the places and names of the original system, so that either daemon can take over.
 */
export function keepOriginal(plan: PlanBuilder, facts: HostFacts, path: string, managedBefore: boolean): void {
  const original = facts.originals.get(path)
  if (!original || original.stamped) return
  if (isOriginal(facts, path, managedBefore)) {
    if (!original.kept) plan.add({ kind: 'copyFile', from: path, path: originalPath(path) })
    return
  }
  if (original.kept) plan.add({ kind: 'remove', path: originalPath(path) })
  plan.writeFile(noOriginalPath(path), Buffer.alloc(0), { mode: 0o644, uid: 0, gid: 0 })
}

/** After a config gave a path up: the vendor's content comes back, or the file goes. */
export function releasePath(plan: PlanBuilder, facts: HostFacts, path: string): void {
  const original = facts.originals.get(path)
  const present = facts.paths.get(path)
  if (present?.kind === 'directory') {
    plan.problem(path, `${path} should be a file to remove but is a directory; move it away`)
    return
  }
  if (original?.stamped) plan.add({ kind: 'remove', path: noOriginalPath(path) })
  else if (original?.kept) {
    // Without a package database nothing but our own rule decided to keep it.
    const restore = original.ownership !== 'not-vendor' || original.usrCopy
    if (restore) plan.add({ kind: 'copyFile', from: originalPath(path), path })
    plan.add({ kind: 'remove', path: originalPath(path) })
    if (restore) return
  }
  if (present && present.kind !== 'absent') plan.add({ kind: 'remove', path })
}

function isOriginal(facts: HostFacts, path: string, managedBefore: boolean): boolean {
  const original = facts.originals.get(path)
  const present = facts.paths.get(path)
  if (!original || !present || present.kind === 'absent' || present.kind === 'directory') return false
  switch (original.ownership) {
    case 'vendor':
      return true
    case 'not-vendor':
      return original.usrCopy
    case 'unknown':
      // What an earlier config wrote is not the vendor's.
      return original.kept || !managedBefore
    default:
      return original.ownership satisfies never
  }
}
