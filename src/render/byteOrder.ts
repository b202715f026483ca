/** Order of the texts' UTF-8 bytes, as Go sorts. JavaScript's own order differs for characters above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0
  if (!hasSurrogates.test(a) && !hasSurrogates.test(b)) return a < b ? -1 : 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const hasSurrogates = /[\ud800-\udfff]/
