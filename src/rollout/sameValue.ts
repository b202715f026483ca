import { isDeepStrictEqual } from 'node:util'

/** Are two JSON values the same on the wire? Absent, null, empty lists and empty objects of a member mean the same. */
export const sameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(normal(a), normal(b))

function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(normal)
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const members = Object.entries(value)
    .map(([key, member]) => [key, normal(member)] as const)
    .filter(([, member]) => member !== undefined)
  return members.length === 0 ? undefined : Object.fromEntries(members)
}
