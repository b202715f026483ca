/** The config cannot be used as it is; a person must correct it. The message says which, and how. */
export class UnusableConfig extends Error {
  override readonly name = 'UnusableConfig'
}
