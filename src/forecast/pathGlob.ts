/**
 * Globs in paths: `*` stands for any text within one component, `**` for any number of components. A pattern also stands
 * for everything below what it matches, as a plain directory does. Matching takes time in proportion to both lengths.
 */
export const isGlob = (pattern: string): boolean => pattern.includes('*')

export function globMatchesPath(pattern: string, path: string): boolean {
  const wanted = [...componentsOf(pattern), '**']
  return matchGreedy(wanted, componentsOf(path), (part) => part === '**', componentMatches)
}

const componentsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '' && part !== '.')

const componentMatches = (pattern: string, name: string): boolean =>
  matchGreedy([...pattern], [...name], (character) => character === '*', Object.is)

/** One wild item stands for any number of items: only the last one met can have to give way, so one way back is enough. */
function matchGreedy(
  pattern: readonly string[],
  items: readonly string[],
  isWild: (part: string) => boolean,
  same: (part: string, item: string) => boolean,
): boolean {
  let at = 0
  let back: { readonly pattern: number; readonly item: number } | undefined
  for (let item = 0; item < items.length; ) {
    const part = pattern[at]
    if (part !== undefined && isWild(part)) {
      back = { pattern: at, item }
      at += 1
    } else if (part !== undefined && same(part, items[item] ?? '')) {
      at += 1
      item += 1
    } else if (back) {
      back = { pattern: back.pattern, item: back.item + 1 }
      at = back.pattern + 1
      item = back.item
    } else return false
  }
  return pattern.slice(at).every(isWild)
}
