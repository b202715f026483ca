type Compact<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** An object without the members that are undefined: absent members of a config are absent. */
export function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Compact<T>
}

/** The same, and nothing at all when no member is left. */
export function filled<T extends object>(value: T): Compact<T> | undefined {
  const result = compact(value)
  return Object.keys(result).length === 0 ? undefined : result
}

/** A translated list; an empty one is absent. */
export const translated = <T, R>(items: readonly T[] | undefined, to: (item: T) => R): readonly R[] | undefined =>
  items === undefined || items.length === 0 ? undefined : items.map(to)
