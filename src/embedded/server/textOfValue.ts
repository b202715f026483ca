const maxLength = 200

/**
 * A value from a request in the text of a message: a string as it is, anything else as JSON, cut when it is long.
 * `String()` would call the value's own `toString`, which any body may have replaced.
 */
export function textOfValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text
}
