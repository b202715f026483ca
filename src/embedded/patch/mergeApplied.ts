import { isObject } from '../builtins/jsonObject.ts'
import type { OpenApiSchema } from '../server/resource.ts'
import { divide, entryNames, entrySchema } from './fieldSchema.ts'
import { below, type FieldSet, isEmptySet } from './fieldSet.ts'
import { ownMember, setOwn } from './mergePatch.ts'
import { fieldElement, type PathElement } from './pathElement.ts'

/** The live object with everything that the configuration sets; nothing is removed. */
export function mergeApplied(live: unknown, applied: unknown, schema: OpenApiSchema | undefined): unknown {
  if (applied === undefined) return live
  if (live === undefined) return applied
  const division = divide(schema, [live, applied])
  if (division.kind === 'leaf') return applied
  if (division.kind === 'map') {
    if (!isObject(live) || !isObject(applied)) return applied ?? live
    const result: Record<string, unknown> = {}
    for (const name of entryNames(live, applied)) {
      setOwn(
        result,
        name,
        mergeApplied(ownMember(live, name), ownMember(applied, name), entrySchema(schema, name).schema),
      )
    }
    return result
  }
  if (!Array.isArray(live) || !Array.isArray(applied)) return applied ?? live
  return mergeItems(live, applied, division.elementOf, schema?.items)
}

/** Applied items in their own order; items that only the live list has stay where they were between the others. */
function mergeItems(
  live: readonly unknown[],
  applied: readonly unknown[],
  elementOf: (item: unknown) => PathElement | undefined,
  schema: OpenApiSchema | undefined,
): readonly unknown[] {
  const wanted = new Set(applied.map(elementOf))
  const liveItems = new Map(live.map((item) => [elementOf(item), item]))
  const placed = new Set<PathElement | undefined>()
  const result: unknown[] = []
  let next = 0
  for (const item of applied) {
    while (next < live.length) {
      const element = elementOf(live[next])
      if (wanted.has(element) && !placed.has(element)) break
      if (!wanted.has(element)) result.push(live[next])
      next += 1
    }
    const element = elementOf(item)
    placed.add(element)
    result.push(mergeApplied(liveItems.get(element), item, schema))
  }
  return [...result, ...live.slice(next).filter((item) => !wanted.has(elementOf(item)))]
}

/**
 * Removes what the applier set before and nobody sets any more: paths of `before` that are in no set of `owned`. A named
 * field counts as owned when anything in it is, and goes with everything in it when nothing is.
 */
export function pruneApplied(
  value: unknown,
  schema: OpenApiSchema | undefined,
  before: FieldSet,
  owned: FieldSet,
): unknown {
  if (isEmptySet(before)) return value
  const division = divide(schema, [value])
  if (division.kind === 'leaf') return value
  if (division.kind === 'map') {
    if (!isObject(value)) return value
    const result: Record<string, unknown> = {}
    for (const [name, entry] of Object.entries(value)) {
      const { schema: inner, declared } = entrySchema(schema, name)
      const element = fieldElement(name)
      if (counts(before, element, declared) && !counts(owned, element, declared)) continue
      setOwn(result, name, pruneApplied(entry, inner, below(before, element), below(owned, element)))
    }
    return result
  }
  if (!Array.isArray(value)) return value
  return value.flatMap((item: unknown) => {
    const element = division.elementOf(item)
    if (element === undefined) return [item]
    if (before.members.has(element) && !owned.members.has(element)) return []
    return [pruneApplied(item, schema?.items, below(before, element), below(owned, element))]
  })
}

const counts = (set: FieldSet, element: PathElement, declared: boolean): boolean =>
  set.members.has(element) || (declared && set.children.has(element))
