import { isObject, type JsonObject } from '../builtins/jsonObject.ts'

/**
 * JSON merge patch (RFC 7386): objects are merged member by member, `null` removes a member, everything else replaces.
 * A null below a member that does not exist yet removes nothing and is not stored.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = { ...(isObject(target) ? target : {}) }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else setOwn(result, name, mergePatch(ownMember(result, name), value))
  }
  return result
}

/** What the data says: `toString` and its like, which every object inherits, are members only where they were sent. */
export function ownMember(object: JsonObject | undefined, name: string): unknown {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}

/** A member called `__proto__` is data here, and must not become the object's prototype. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
}
