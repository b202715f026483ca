/**
 * Splits kernel arguments as the kernel does: blanks separate, `"` toggles quoting and stays, there are no escapes.
 * One list entry may hold several arguments.
 */
export function splitKernelArguments(entries: readonly string[] | null | undefined): string[] {
  return (entries ?? []).flatMap(splitEntry)
}

/**
 * The arguments for one `rpm-ostree kargs` call: every old argument is deleted if present, every new one appended. Going
 * through all of them keeps order and duplicates, and tolerates a command line that was edited by hand.
 */
export function kernelArgumentsCommand(
  old: readonly string[] | null | undefined,
  next: readonly string[] | null | undefined,
): string[] {
  return [
    ...splitKernelArguments(old).map((argument) => `--delete-if-present=${argument}`),
    ...splitKernelArguments(next).map((argument) => `--append=${argument}`),
  ]
}

/** The kernel knows ASCII blanks only: a no-break space is part of an argument. */
const blanks = new Set([' ', '\t', '\n', '\v', '\f', '\r'])

function splitEntry(entry: string): string[] {
  const found: string[] = []
  let current = ''
  let quoted = false
  for (const character of entry) {
    if (character === '"') quoted = !quoted
    if (!quoted && blanks.has(character)) {
      if (current !== '') found.push(current)
      current = ''
    } else current += character
  }
  if (current !== '') found.push(current)
  return found
}
