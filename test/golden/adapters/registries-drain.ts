import { registriesChangeIsSafe } from '../../../src/forecast/registriesDrain.ts'
import type { Adapter } from '../adapter.ts'

/** A TOML library's wording of a syntax fault is its own: that the file is refused is what counts. */
export const adapter: Adapter = {
  refusalOnly: ['error'],
  run: (_topic, { old, new: next }) => {
    const verdict = registriesChangeIsSafe(old, next)
    return { safe: verdict.safe, error: verdict.error ?? null }
  },
}
