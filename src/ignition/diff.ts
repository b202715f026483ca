import { equalValue } from './equalValue.ts'
import type { IgnitionConfig, Unit } from './types.ts'

/** Paths whose file entry differs: changed and new ones in the order of the new config, then the removed ones. */
export function changedFiles(old: IgnitionConfig, next: IgnitionConfig): readonly string[] {
  const { added, removed, updated } = changedEntries(
    old.storage?.files ?? [],
    next.storage?.files ?? [],
    ({ path }) => path,
  )
  const changed = new Set([...added, ...updated])
  return [...(next.storage?.files ?? []).map(({ path }) => path).filter((path) => changed.has(path)), ...removed]
}

export interface ChangedUnits {
  readonly added: readonly string[]
  readonly updated: readonly string[]
  readonly removed: readonly string[]
}

/** Names of units by kind of change, each list in the order of the config that has them. */
export function changedUnits(old: IgnitionConfig, next: IgnitionConfig): ChangedUnits {
  return changedEntries<Unit>(old.systemd?.units ?? [], next.systemd?.units ?? [], ({ name }) => name)
}

function changedEntries<T>(old: readonly T[], next: readonly T[], keyOf: (entry: T) => string): ChangedUnits {
  const before = new Map(old.map((entry) => [keyOf(entry), entry]))
  const after = new Map(next.map((entry) => [keyOf(entry), entry]))
  const keys = [...after.keys()]
  return {
    added: keys.filter((key) => !before.has(key)),
    updated: keys.filter((key) => before.has(key) && !equalValue(before.get(key), after.get(key))),
    removed: [...before.keys()].filter((key) => !after.has(key)),
  }
}
