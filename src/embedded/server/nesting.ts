import { badRequest } from './statusError.ts'

/** Far beyond any real object, and far from the end of the stack for everything that walks one. */
const maxDepth = 400

/** Refuses what is nested too deep to be walked; the walk here is by levels, not by recursion. */
export function requireShallow<T>(value: T): T {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw badRequest(`exceeded max depth: the object is nested more than ${maxDepth} levels deep`)
    level = level.flatMap(membersOf)
  }
  return value
}

function membersOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).filter((member) => typeof member === 'object' && member !== null)
}
