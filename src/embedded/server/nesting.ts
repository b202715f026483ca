import { badRequest } from './statusError.ts'

/** Far beyond any real object, and far from the end of the stack for everything that walks one. */
const maxDepth = 400

/** Refuses what is nested too deep to be walked; the walk here goes no deeper than that either. */
export function requireShallow<T>(value: T): T {
  if (isWithin(value, maxDepth)) return value
  throw badRequest(`exceeded max depth: the object is nested more than ${maxDepth} levels deep`)
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (levels < 0) return false
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  return members.every((member) => isWithin(member, levels - 1))
}
