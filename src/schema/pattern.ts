/**
 * A regular expression as CRDs write it (RE2 syntax), as a JavaScript one. Throws for a pattern that JavaScript cannot
 * read: a schema is checked when it is compiled, not when a user's object meets it.
 */
export function compilePattern(pattern: string): RegExp {
  const [, flags = '', body = ''] = /^(?:\(\?([is]+)\))?(.*)$/s.exec(pattern) ?? []
  const translated = body
    .replace(/\(\?P</g, '(?<')
    .replace(/\\z/g, '$')
    .replace(/\\A/g, '^')
  try {
    return new RegExp(translated, `${flags}u`)
  } catch {
    // Escapes such as `\:` or `\-` are fine in RE2 but refused by JavaScript's unicode mode.
    return new RegExp(translated, flags)
  }
}
