/** A command of a console block and what the page says that it prints. */
export interface Example {
  readonly command: string
  readonly output: string
}

/**
 * A `console` block: `$ ` begins a command, `> ` continues it, everything else is what the command prints.
 * A line of a single `…` stands for any lines, a `…` within a line for any text of that line.
 */
export function examplesOf(block: string): readonly Example[] {
  const examples: { command: string; output: string[] }[] = []
  for (const line of block.split('\n')) {
    const current = examples.at(-1)
    if (line.startsWith('$ ')) examples.push({ command: line.slice(2), output: [] })
    else if (!current) throw new Error(`a console block begins with "$ command", found "${line}"`)
    else if (line.startsWith('> ') && current.output.length === 0) current.command += `\n${line.slice(2)}`
    else current.output.push(line)
  }
  return examples.map(({ command, output }) => ({ command, output: output.join('\n').trimEnd() }))
}

/** Undefined when the output is what the page shows; otherwise the first line of the page that it does not have. */
export function firstDifference(expected: string, actual: string): string | undefined {
  const wanted = expected === '' ? [] : expected.split('\n')
  const found = actual.trimEnd() === '' ? [] : actual.trimEnd().split('\n')
  return match(wanted, found)
}

function match(wanted: readonly string[], found: readonly string[]): string | undefined {
  const [line, ...rest] = wanted
  if (line === undefined) return found.length === 0 ? undefined : `nothing more, but it prints: ${found[0]}`
  if (line.trim() === '…') {
    const matches = found.some((_, index) => match(rest, found.slice(index)) === undefined)
    if (rest.length === 0 || matches || match(rest, []) === undefined) return undefined
    return match(rest, found.slice(bestStart(rest, found)))
  }
  const [first, ...others] = found
  if (first === undefined) return `${line} (the output ends before)`
  return lineMatches(line, first) ? match(rest, others) : `${line}\n  but it prints: ${first}`
}

/** For the message: where the line after the gap is found, or the end. */
function bestStart([next = '']: readonly string[], found: readonly string[]): number {
  const start = found.findIndex((line) => lineMatches(next, line))
  return start < 0 ? found.length : start
}

function lineMatches(pattern: string, line: string): boolean {
  const parts = pattern
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(line.trimEnd())
}
