import { cidrContainsIp, parseIp } from '../../schema/cidr.ts'
import { networksOf, type ReadToken, type TokenRecord } from './tokenRecord.ts'
import { isTokenOf, type TokenText } from './tokenText.ts'
import { isUnderWay } from './tokenUses.ts'

export interface TokenRequest {
  readonly pool: string
  readonly remoteAddress: string
}

/** What is known about tokens when the request arrives. */
export interface TokenKnowledge {
  /** The record of the shown id. */
  readonly found: ReadToken | undefined
  /** False while the records may be incomplete or out of date. */
  readonly isSynced: boolean
  /** Boots that this process has admitted with the token and that its record may not count yet: address to first request. */
  readonly admitted: ReadonlyMap<string, Date>
}

export type TokenRefusal =
  | 'TokenMissing'
  | 'TokenMalformed'
  | 'TokenNotKnownYet'
  | 'TokenUnknown'
  | 'TokenRevoked'
  | 'TokenUnusable'
  | 'TokenOfOtherPool'
  | 'TokenOfOtherAddress'
  | 'TokenExpired'
  | 'TokenUsedUp'

export type TokenVerdict =
  | { readonly kind: 'valid'; readonly record: TokenRecord }
  | { readonly kind: 'refused'; readonly status: 401 | 403 | 503; readonly reason: TokenRefusal }

/**
 * A token of this age may not have reached this server yet, or not by its own clock. Whoever invents such a token is told to
 * come back, which costs nothing.
 */
const youngMs = 60_000

/**
 * May this token fetch this pool's config now? What is certainly wrong ends the boot (401, 403); what may still become right
 * is tried again (503). A boot whose first request was admitted goes on for an hour, whatever happens to expiry and count;
 * only a revocation ends it.
 */
export function judgeToken(
  shown: TokenText,
  { pool, remoteAddress }: TokenRequest,
  { found, isSynced, admitted }: TokenKnowledge,
  now: Date,
): TokenVerdict {
  if (!found) {
    const mayCome = !isSynced || Math.abs(now.getTime() - shown.issuedAt.getTime()) < youngMs
    return mayCome ? refused(503, 'TokenNotKnownYet') : refused(401, 'TokenUnknown')
  }
  // A person repairs or deletes it; the machine waits.
  if (found.kind === 'unusable') return refused(503, 'TokenUnusable')
  const { record } = found
  if (!isTokenOf(shown.text, record.hash)) return refused(401, 'TokenUnknown')
  if (record.revokedAt) return refused(401, 'TokenRevoked')
  if (record.pool !== pool) return refused(403, 'TokenOfOtherPool')
  if (!isAllowedSource(record, remoteAddress)) return refused(403, 'TokenOfOtherAddress')
  const { recent } = record.uses
  if (isUnderWay(recent.get(remoteAddress), now) || isUnderWay(admitted.get(remoteAddress), now))
    return { kind: 'valid', record }
  if (record.expiresAt && now >= record.expiresAt) return refused(403, 'TokenExpired')
  if (record.maxUses !== undefined && bootsOf(record, admitted) >= record.maxUses) return refused(403, 'TokenUsedUp')
  return { kind: 'valid', record }
}

const refused = (status: 401 | 403 | 503, reason: TokenRefusal): TokenVerdict => ({ kind: 'refused', status, reason })

function isAllowedSource(record: TokenRecord, remoteAddress: string): boolean {
  if (record.sources.length === 0) return true
  const address = parseIp(remoteAddress)
  return address !== undefined && networksOf(record).some((network) => cidrContainsIp(network, address))
}

function bootsOf({ uses }: TokenRecord, admitted: ReadonlyMap<string, Date>): number {
  return uses.count + [...admitted.keys()].filter((address) => !uses.recent.has(address)).length
}
