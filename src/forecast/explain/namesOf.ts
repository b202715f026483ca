const shownNames = 5

/** `a, b, c and 7 more`. */
export function namesOf(names: readonly string[]): string {
  const more = names.length - shownNames
  return names.slice(0, shownNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
