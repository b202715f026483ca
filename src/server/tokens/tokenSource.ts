import { Secret } from '../../api/core.ts'
import type { Informers } from '../../kube/informers.ts'
import { isTokenSecret, type ReadToken, secretToToken } from './tokenRecord.ts'

/** The records of all join tokens, in memory. */
export interface TokenSource {
  find(id: string): ReadToken | undefined
  /** False until the records are known to be complete. */
  isSynced(): boolean
}

/** Follows the token Secrets of a namespace; each is read once per change, not per request. */
export function watchTokens(informers: Informers, namespace: string): TokenSource {
  const tokens = new Map<string, ReadToken>()
  const isOurs = (secret: Secret): boolean => secret.metadata.namespace === namespace && isTokenSecret(secret)
  informers.subscribe(Secret, ({ old, now }) => {
    if (old && isOurs(old)) tokens.delete(tokenIdOf(secretToToken(old)))
    if (!now || !isOurs(now)) return
    const read = secretToToken(now)
    tokens.set(tokenIdOf(read), read)
  })
  return { find: (id) => tokens.get(id), isSynced: () => informers.hasSynced(Secret) }
}

export const tokenIdOf = (read: ReadToken): string => (read.kind === 'token' ? read.record.id : read.id)
