import { compareElements, type PathElement } from './pathElement.ts'

/**
 * A set of field paths as a tree. A path can be a member and have members below it: owning a list item is not the same
 * as owning its fields. Values are never changed once they are handed out; empty children do not exist.
 */
export interface FieldSet {
  readonly members: ReadonlySet<PathElement>
  readonly children: ReadonlyMap<PathElement, FieldSet>
}

export type FieldPath = readonly PathElement[]

export const emptySet: FieldSet = { members: new Set(), children: new Map() }

export const isEmptySet = (set: FieldSet): boolean => set.members.size === 0 && set.children.size === 0

/** The part of the set below one step. */
export const below = (set: FieldSet, element: PathElement): FieldSet => set.children.get(element) ?? emptySet

export function setOf(paths: Iterable<FieldPath>): FieldSet {
  const root = new SetBuilder()
  for (const path of paths) root.insert(path)
  return root.build()
}

/** Collects paths one by one. */
export class SetBuilder {
  readonly #members = new Set<PathElement>()
  readonly #children = new Map<PathElement, SetBuilder>()

  insert(path: FieldPath): void {
    let node: SetBuilder = this
    path.slice(0, -1).forEach((element) => {
      node = node.#child(element)
    })
    const last = path.at(-1)
    if (last !== undefined) node.#members.add(last)
  }

  #child(element: PathElement): SetBuilder {
    const child = this.#children.get(element) ?? new SetBuilder()
    this.#children.set(element, child)
    return child
  }

  build(): FieldSet {
    return {
      members: this.#members,
      children: new Map([...this.#children].map(([element, child]) => [element, child.build()])),
    }
  }
}

/** `a` itself when `b` adds nothing: who keeps what he had is recognised by it. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  if (isEmptySet(a)) return b
  const children = new Map(a.children)
  for (const [element, child] of b.children) children.set(element, union(below(a, element), child))
  return sameOr(a, { members: new Set([...a.members, ...b.members]), children })
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return {
    members: new Set([...a.members].filter((element) => b.members.has(element))),
    children: mapChildren(a, (child, element) => intersection(child, below(b, element))),
  }
}

/** Paths of `a` that are not exactly paths of `b`; `a` itself when none is. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  return sameOr(a, {
    members: new Set([...a.members].filter((element) => !b.members.has(element))),
    children: mapChildren(a, (child, element) => difference(child, below(b, element))),
  })
}

/** Paths of `a` that are neither paths of `b` nor below one; `a` itself when none is. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a
  return sameOr(a, {
    members: new Set([...a.members].filter((element) => !b.members.has(element))),
    children: mapChildren(a, (child, element) =>
      b.members.has(element) ? emptySet : differenceBelow(child, below(b, element)),
    ),
  })
}

/** `changed` came from `a` by adding only, or by removing only: with the same sizes and children nothing has changed. */
function sameOr(a: FieldSet, changed: FieldSet): FieldSet {
  const isSame =
    a.members.size === changed.members.size &&
    a.children.size === changed.children.size &&
    [...changed.children].every(([element, child]) => a.children.get(element) === child)
  return isSame ? a : changed
}

function mapChildren(
  set: FieldSet,
  change: (child: FieldSet, element: PathElement) => FieldSet,
): ReadonlyMap<PathElement, FieldSet> {
  const children = [...set.children].map(([element, child]) => [element, change(child, element)] as const)
  return new Map(children.filter(([, child]) => !isEmptySet(child)))
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  return (
    a.members.size === b.members.size &&
    a.children.size === b.children.size &&
    [...a.members].every((element) => b.members.has(element)) &&
    [...a.children].every(([element, child]) => equalSets(child, below(b, element)))
  )
}

/** All paths, in the order in which sets are written. */
export function pathsOf(set: FieldSet, prefix: FieldPath = []): readonly FieldPath[] {
  const elements = [...new Set([...set.members, ...set.children.keys()])].sort(compareElements)
  return elements.flatMap((element) => {
    const path = [...prefix, element]
    return [...(set.members.has(element) ? [path] : []), ...pathsOf(below(set, element), path)]
  })
}
