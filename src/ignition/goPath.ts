/** The lexical path functions of Go's `path` package, whose results the reference compares and prints. */

/** Shortest equal path: no `.`, `..`, double or trailing slashes; `..` at the root is dropped. */
export function cleanPath(path: string): string {
  if (path === '') return '.'
  const rooted = path.startsWith('/')
  const kept: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') kept.push(step)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!rooted) kept.push('..')
  }
  const joined = kept.join('/')
  return rooted ? `/${joined}` : joined === '' ? '.' : joined
}

export function joinPath(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== '')
  return given.length === 0 ? '' : cleanPath(given.join('/'))
}

/** The suffix from the last dot of the last step, with the dot; empty without one. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot) : ''
}
