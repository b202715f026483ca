/** So much room do all warnings of an answer have together, and each of them once they have no more. */
const maxTotal = 4096
const maxEach = 256

/**
 * RFC 9111 warn-code 299, as the API server sends warnings; several are one comma-separated header. Clients refuse large
 * headers, so long warnings are cut and the last ones may be left out.
 */
export function warningHeaders(warnings: ReadonlySet<string>): Readonly<Record<string, string>> {
  if (warnings.size === 0) return {}
  const all = [...warnings].map(printable)
  const fits = all.reduce((sum, text) => sum + text.length, 0) <= maxTotal
  const texts = fits ? all : all.map((text) => text.slice(0, maxEach)).slice(0, Math.floor(maxTotal / maxEach))
  return { warning: texts.map((text) => `299 - "${asBytes(text.replace(/["\\]/g, '\\$&'))}"`).join(', ') }
}

/** Control characters may not stand in a header. */
const printable = (text: string): string =>
  [...text.replace(/[\r\n\t]+/g, ' ')].filter((character) => !/\p{Cc}/u.test(character)).join('')

/** A header is bytes, which Node takes as one character each; clients read them as UTF-8. */
const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
