/** Editing JSON objects of unknown shape without mutating them: what defaults of built-in kinds are written with. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that are absent (or null) are filled in; the object itself is returned when nothing is missing. */
export function fill(object: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name, value]) => value !== undefined && isUnset(object[name]))
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) }
}

const isUnset = (value: unknown): boolean => value === undefined || value === null

/** Changes one member when it is an object. */
export function edit(object: JsonObject, name: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = object[name]
  if (!isObject(value)) return object
  const changed = change(value)
  return changed === value ? object : { ...object, [name]: changed }
}

/** Changes each item of a list member that is an object. */
export function editEach(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const value = object[name]
  if (!Array.isArray(value)) return object
  return { ...object, [name]: value.map((item: unknown) => (isObject(item) ? change(item) : item)) }
}

export const without = (object: JsonObject, name: string): JsonObject => {
  if (!(name in object)) return object
  const { [name]: _removed, ...rest } = object
  return rest
}
