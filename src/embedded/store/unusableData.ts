/** The data directory cannot be worked with, and a person must act: the message says on what. */
export class UnusableDataError extends Error {
  override readonly name = 'UnusableDataError'
}
