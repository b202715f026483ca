import type { ChangedFragment, PoolRolloutSpec, RolloutFragment } from '../api/poolRollout.ts'

type Change = NonNullable<PoolRolloutSpec['change']>

/** What is different between two lists of fragments, each in the order of the list that has it. */
export function fragmentChange(
  before: readonly RolloutFragment[],
  after: readonly RolloutFragment[],
): Required<Omit<Change, 'system'>> {
  const [old, now] = [byName(before), byName(after)]
  const isNew = ({ name }: RolloutFragment) => !old.has(name)
  const isModified = ({ name, digest }: RolloutFragment) => old.has(name) && old.get(name)?.digest !== digest
  return {
    added: after.filter(isNew).map(toChanged),
    removed: before.filter(({ name }) => !now.has(name)).map(toChanged),
    modified: after.filter(isModified).map(toChanged),
  }
}

export const isUnchanged = (change: Change): boolean =>
  [change.added, change.removed, change.modified].every((list) => (list ?? []).length === 0)

const byName = (fragments: readonly RolloutFragment[]): ReadonlyMap<string, RolloutFragment> =>
  new Map(fragments.map((fragment) => [fragment.name, fragment] as const))

const toChanged = ({ name, generation }: RolloutFragment): ChangedFragment => ({
  name,
  ...(generation !== undefined && { generation }),
})
