import type { ReadToken } from '../tokens/tokenRecord.ts'
import { isTokenOf } from '../tokens/tokenText.ts'

/**
 * Tokens of managed user data are replaced at half of their life: the other half is the overlap in which machines that were
 * made with the old user data may still boot.
 */
export const userDataTokenLifetimeMs = 30 * 24 * 3_600_000

export type TokenDecision =
  | { readonly kind: 'keep'; readonly until: Date }
  | { readonly kind: 'replace'; readonly because: 'NoToken' | 'Revoked' | 'Unusable' | 'Old' }

/** May the token that a pool's user data shows stay? `found` is the record of its id. */
export function keepToken(
  text: string | undefined,
  pool: string,
  found: ReadToken | undefined,
  now: Date,
): TokenDecision {
  if (text === undefined) return { kind: 'replace', because: 'NoToken' }
  if (!found) return { kind: 'replace', because: 'Revoked' }
  if (found.kind === 'unusable' || !isTokenOf(text, found.record.hash) || found.record.pool !== pool)
    return { kind: 'replace', because: 'Unusable' }
  const { expiresAt, revokedAt } = found.record
  if (revokedAt) return { kind: 'replace', because: 'Revoked' }
  // Somebody took the end away: it stays as they want it.
  if (!expiresAt) return { kind: 'keep', until: new Date(now.getTime() + userDataTokenLifetimeMs) }
  const until = new Date(expiresAt.getTime() - userDataTokenLifetimeMs / 2)
  return now < until ? { kind: 'keep', until } : { kind: 'replace', because: 'Old' }
}
