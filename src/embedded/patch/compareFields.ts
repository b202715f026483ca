import { deepEqual } from '../../schema/deepEqual.ts'
import { isObject } from '../builtins/jsonObject.ts'
import type { OpenApiSchema } from '../server/resource.ts'
import { divide, entryNames, entrySchema } from './fieldSchema.ts'
import { type FieldPath, type FieldSet, isEmptySet, SetBuilder } from './fieldSet.ts'
import { ownMember } from './mergePatch.ts'
import { fieldElement, type PathElement } from './pathElement.ts'

/** Which paths differ between two states of an object. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

export function compareFields(before: unknown, after: unknown, schema: OpenApiSchema | undefined): Comparison {
  const builders = { added: new SetBuilder(), modified: new SetBuilder(), removed: new SetBuilder() }
  visit(before, after, schema, [], builders)
  return { added: builders.added.build(), modified: builders.modified.build(), removed: builders.removed.build() }
}

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  isEmptySet(added) && isEmptySet(modified) && isEmptySet(removed)

interface Builders {
  readonly added: SetBuilder
  readonly modified: SetBuilder
  readonly removed: SetBuilder
}

function visit(
  before: unknown,
  after: unknown,
  schema: OpenApiSchema | undefined,
  path: FieldPath,
  builders: Builders,
): void {
  // Most of an object is shared with its former state.
  if (before === after) return
  const division = divide(schema, [before, after])
  if (division.kind === 'leaf' || (isEmpty(before) && isEmpty(after))) {
    recordLeaf(before, after, path, builders)
    return
  }
  if (division.kind === 'map') {
    const left = isObject(before) ? before : undefined
    const right = isObject(after) ? after : undefined
    for (const name of entryNames(left, right)) {
      const inner = entrySchema(schema, name).schema
      visit(ownMember(left, name), ownMember(right, name), inner, [...path, fieldElement(name)], builders)
    }
  } else {
    const left = grouped(before, division.elementOf)
    const right = grouped(after, division.elementOf)
    for (const element of new Set([...left.keys(), ...right.keys()])) {
      const itemPath = [...path, element]
      const old = left.get(element) ?? []
      const now = right.get(element) ?? []
      // An address that is used twice cannot be looked into: it changes as a whole.
      if (old.length > 1 || now.length > 1) recordLeaf(whole(old), whole(now), itemPath, builders)
      else visit(old[0], now[0], schema?.items, itemPath, builders)
    }
  }
  if (path.length === 0) return
  // The parent itself came or went, beside what is in it.
  if (before === undefined) builders.added.insert(path)
  else if (after === undefined) builders.removed.insert(path)
}

const whole = (items: readonly unknown[]): unknown => (items.length === 0 ? undefined : items)

function recordLeaf(before: unknown, after: unknown, path: FieldPath, { added, modified, removed }: Builders): void {
  if (before === undefined && after === undefined) return
  if (before === undefined) added.insert(path)
  else if (after === undefined) removed.insert(path)
  else if (!deepEqual(before, after)) modified.insert(path)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}

/** Items by address; an item without one stands for itself. */
function grouped(
  value: unknown,
  elementOf: (item: unknown) => PathElement | undefined,
): ReadonlyMap<PathElement, readonly unknown[]> {
  const groups = new Map<PathElement, unknown[]>()
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  for (const [index, item] of items.entries()) {
    const element = elementOf(item) ?? `i:${index}`
    const group = groups.get(element)
    if (group) group.push(item)
    else groups.set(element, [item])
  }
  return groups
}
