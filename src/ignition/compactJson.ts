/** An already parsed value as compact JSON text, keys in their order; integers beyond 2^53 are exact. */
export function compactJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${compactJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
