/**
 * How a configuration is built, as data: one table drives reading, writing, merging and the search for duplicates.
 * The wording of Go's decoding errors needs the type names of the reference implementation; they are part of the table.
 */
export type Shape = ScalarShape | ListShape | StructShape

export interface ScalarShape {
  readonly kind: 'string' | 'int' | 'bool'
  readonly goType: string
}

export interface ListShape {
  readonly kind: 'list'
  readonly goType: string
  readonly item: ScalarShape | StructShape
  /** What makes two items the same one; `append` lists know no sameness and keep every item. */
  readonly key: 'append' | ((item: unknown) => string)
  /** An item of a child without this member removes the parent's item (HTTP headers). */
  readonly removedWithout?: string
}

export interface StructShape {
  readonly kind: 'struct'
  readonly goType: string
  /** The name that stands before the member in Go's messages. */
  readonly goName: string
  /** Its name up to this minor version. */
  readonly earlier?: { readonly goName: string; readonly until: number }
  readonly members: readonly Member[]
  readonly byName: ReadonlyMap<string, Member>
  /** Go matches keys without regard to case when there is no exact match. */
  readonly byFoldedName: ReadonlyMap<string, Member>
  /** Lists of this struct whose keys live in one namespace. */
  readonly sharedKeys?: readonly string[]
}

export interface Member {
  readonly name: string
  readonly shape: Shape
  /** First minor version of the specification that knows it. */
  readonly since: number
  /** Present even when not given: `always` is also written, `sparse` is written only when not zero. */
  readonly plain?: 'always' | 'sparse'
  /** Not nullable up to this minor version: an absent one counts as the zero value there. */
  readonly plainUntil?: number
  /** The embedded Go struct that holds it. */
  readonly embedded?: string
}

export const text: ScalarShape = { kind: 'string', goType: 'string' }
export const int: ScalarShape = { kind: 'int', goType: 'int' }
export const bool: ScalarShape = { kind: 'bool', goType: 'bool' }
export const named = (name: string): ScalarShape => ({ kind: 'string', goType: `types.${name}` })

export function struct(
  name: string,
  members: readonly Member[],
  extra: Partial<Pick<StructShape, 'sharedKeys' | 'goType' | 'earlier'>> = {},
): StructShape {
  return {
    kind: 'struct',
    goName: name,
    goType: extra.goType ?? `types.${name}`,
    members,
    byName: new Map(members.map((member) => [member.name, member])),
    byFoldedName: new Map(members.map((member) => [member.name.toLowerCase(), member])),
    ...(extra.sharedKeys && { sharedKeys: extra.sharedKeys }),
    ...(extra.earlier && { earlier: extra.earlier }),
  }
}

export function list(
  item: ScalarShape | StructShape,
  key: ListShape['key'],
  extra: { readonly goType?: string; readonly removedWithout?: string } = {},
): ListShape {
  return { kind: 'list', item, key, goType: extra.goType ?? `[]${item.goType}`, ...pick(extra.removedWithout) }
}

const pick = (removedWithout: string | undefined): { removedWithout?: string } =>
  removedWithout === undefined ? {} : { removedWithout }

/** The name of a struct, and the type of any member, in specification 3.`minor`.0. */
export const goNameOf = ({ earlier, goName }: StructShape, minor: number): string =>
  earlier !== undefined && minor <= earlier.until ? earlier.goName : goName

export function goTypeOf(shape: Shape, minor: number): string {
  const struct = shape.kind === 'list' ? shape.item : shape
  if (struct.kind !== 'struct' || struct.earlier === undefined || minor > struct.earlier.until) return shape.goType
  return shape.goType.replace(struct.goName, struct.earlier.goName)
}

/** Keys: the value itself, or one member of it (an absent member counts as empty). */
export const byValue = (item: unknown): string => String(item)
export const byMember =
  (name: string) =>
  (item: unknown): string =>
    String(memberOf(item, name) ?? '')

export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

export const member = (
  name: string,
  shape: Shape,
  extra: Omit<Member, 'name' | 'shape' | 'since'> & { since?: number } = {},
): Member => ({
  name,
  shape,
  since: 0,
  ...extra,
})
