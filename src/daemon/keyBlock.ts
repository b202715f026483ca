/** Between these two lines of a key file that others write too, the lines are ours. */
export const keyBlockBegin = '# mco: managed keys, changes between these lines are taken back'
export const keyBlockEnd = '# mco: end of managed keys'

/** People and programs put keys of their own into this file; the others belong to the config alone. */
export const isSharedKeyFile = (file: string): boolean => file.split('/').at(-1) === 'authorized_keys'

/** The file with these keys as its only block, where the first one was or else at its end; without keys no block. */
export function withKeyBlock(content: Buffer, keys: readonly string[], formerly: readonly string[] = []): Buffer {
  // One character a byte: lines of others come out as they went in, whatever their encoding.
  const text = content.toString('latin1')
  const wanted = keys.map(asBytes)
  const { before, after, found } = splitAtBlock(text, new Set([...wanted, ...formerly.map(asBytes)]))
  if (!found && wanted.length === 0) return content
  const block = wanted.length === 0 ? [] : [keyBlockBegin, ...wanted, keyBlockEnd]
  return Buffer.from([...before, ...block, ...after].map((line) => `${line}\n`).join(''), 'latin1')
}

const asBytes = (key: string): string => Buffer.from(key).toString('latin1')

/** The lines of a file that are not ours, around the place of the first block. */
function splitAtBlock(
  text: string,
  ours: ReadonlySet<string>,
): { readonly before: readonly string[]; readonly after: readonly string[]; readonly found: boolean } {
  const lines = text.split('\n')
  // What follows the last newline is no line.
  if (lines.at(-1) === '') lines.pop()
  const before: string[] = []
  const after: string[] = []
  let seen = false
  let found = false
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line === keyBlockBegin) {
      seen = true
      at = endOfBlock(lines, at, ours)
    }
    if (line === keyBlockBegin || line === keyBlockEnd) found = true
    else (seen ? after : before).push(line)
  }
  return { before, after, found }
}

/** The last line of the block that begins here. One without an end has only the keys that we know as ours. */
function endOfBlock(lines: readonly string[], begin: number, ours: ReadonlySet<string>): number {
  const next = lines.findIndex((line, at) => at > begin && (line === keyBlockBegin || line === keyBlockEnd))
  if (next !== -1 && lines[next] === keyBlockEnd) return next
  let last = begin
  while (ours.has(lines[last + 1] ?? '')) last += 1
  return last
}
