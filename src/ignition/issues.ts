/**
 * One thing that is wrong (or suspicious) in a user's document. Collected, never thrown (style.md, Errors).
 * `path` is a JSON path such as `$.storage.files[0].mode`; `line` and `column` count from 1 in the user's text.
 */
export interface Issue {
  readonly severity: 'error' | 'warning'
  readonly path: string
  /** What was found, what is expected and the remedy. Never holds file contents. */
  readonly message: string
  readonly line?: number
  readonly column?: number
}

/** A result that may carry issues. `value` is absent exactly when an issue of severity `error` is present. */
export interface Checked<T> {
  readonly value?: T
  readonly issues: readonly Issue[]
}
