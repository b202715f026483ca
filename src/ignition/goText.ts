/** How Go's `encoding/json` writes a string: HTML characters and the two line separators are escaped. */
export const goJsonString = (value: string): string => withGoEscapes(JSON.stringify(value))

/** The same for a whole JSON text, whose strings are the only place of these characters. */
export const withGoEscapes = (json: string): string =>
  /[<>&\u2028\u2029]/.test(json) ? json.replace(/[<>&\u2028\u2029]/g, escapeChar) : json

const escapeChar = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Go's `%q` for the names that appear in messages. */
export const goQuote = (value: string): string => JSON.stringify(value)
