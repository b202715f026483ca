import { isObject } from '../builtins/jsonObject.ts'

/** Two list items that stand for the same thing: equal merge keys, or equal scalars where there is no merge key. */
export function sameElement(a: unknown, b: unknown, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined) return a === b
  return isObject(a) && isObject(b) && a[mergeKey] === b[mergeKey]
}

/**
 * Sorts a merged list as `$setElementOrder` wants it: items that the client knows stand in the client's order; items
 * that only the server knows keep their place relative to the neighbours that they had on the server.
 */
export function inElementOrder(
  merged: readonly unknown[],
  order: readonly unknown[],
  server: readonly unknown[],
  mergeKey: string | undefined,
): readonly unknown[] {
  const placeIn = (list: readonly unknown[], item: unknown) =>
    list.findIndex((each) => sameElement(each, item, mergeKey))
  const known = merged.filter((item) => placeIn(order, item) >= 0).sort((a, b) => placeIn(order, a) - placeIn(order, b))
  const others = merged
    .filter((item) => placeIn(order, item) < 0)
    .sort((a, b) => placeIn(server, a) - placeIn(server, b))

  const result: unknown[] = []
  let next = 0
  for (const other of others) {
    const place = placeIn(server, other)
    // The server's item waits for those of the client's items that were not behind it on the server.
    while (next < known.length) {
      const knownPlace = placeIn(server, known[next])
      if (place >= 0 && knownPlace >= 0 && place < knownPlace) break
      result.push(known[next])
      next += 1
    }
    result.push(other)
  }
  return [...result, ...known.slice(next)]
}
