/** How Go's `encoding/json` writes a string: HTML characters and the two line separators are escaped. */
export function goJsonString(value: string): string {
  const quoted = JSON.stringify(value)
  return /[<>&\u2028\u2029]/.test(quoted) ? quoted.replace(/[<>&\u2028\u2029]/g, escapeChar) : quoted
}

const escapeChar = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Go's `%q` for the names that appear in messages. */
export const goQuote = (value: string): string => JSON.stringify(value)
