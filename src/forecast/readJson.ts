/** Annotations can be edited by hand: one that does not hold a JSON object is as good as absent. */
export function readJson<T extends object>(text: string | undefined): T | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
