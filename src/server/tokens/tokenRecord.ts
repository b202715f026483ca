import type { Secret } from '../../api/core.ts'
import { joinToken } from '../../api/names.ts'
import { type Cidr, parseCidr } from '../../schema/cidr.ts'
import { noUses, readUses, type TokenUses } from './tokenUses.ts'

/** What is stored of a join token: everything but the token. */
export interface TokenRecord {
  readonly id: string
  /** SHA-256 of the token, in hex. */
  readonly hash: string
  readonly pool: string
  /** The machine that it was made for; absent for a token that any machine of the pool may use. */
  readonly machine?: string
  readonly expiresAt?: Date
  /** Somebody took it back: from then on it is good for nothing, boots under way included. */
  readonly revokedAt?: Date
  /** How many boots it is good for; absent for any number. */
  readonly maxUses?: number
  /** Addresses that may use it; empty for all. */
  readonly sources: readonly string[]
  readonly uses: TokenUses
}

/** A record that somebody edited by hand may be unusable: it then says which member, never what is in it. */
export type ReadToken =
  | { readonly kind: 'token'; readonly record: TokenRecord }
  | { readonly kind: 'unusable'; readonly id: string; readonly message: string }

const namePrefix = 'join-token-'
const revokedKey = 'revoked'

export const tokenSecretName = (id: string): string => `${namePrefix}${id}`

export const isTokenSecret = (secret: Secret): boolean => secret.type === joinToken.secretType

export function tokenToSecret(record: TokenRecord, namespace: string): Secret {
  const { id, hash, pool, machine, expiresAt, revokedAt, maxUses, sources } = record
  const members = {
    'token-sha256': hash,
    pool,
    machine,
    expires: expiresAt?.toISOString(),
    [revokedKey]: revokedAt?.toISOString(),
    'max-uses': maxUses?.toString(),
    sources: sources.length > 0 ? sources.join(',') : undefined,
  }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: tokenSecretName(id),
      namespace,
      labels: { [joinToken.label]: '', [joinToken.poolLabel]: pool },
    },
    type: joinToken.secretType,
    data: Object.fromEntries(
      Object.entries(members).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, Buffer.from(value).toString('base64')]],
      ),
    ),
  }
}

export function secretToToken({ metadata, data = {} }: Secret): ReadToken {
  const id = (metadata.name ?? '').replace(namePrefix, '')
  const member = (key: string): string | undefined =>
    data[key] === undefined ? undefined : Buffer.from(data[key], 'base64').toString('utf8').trim()
  const unusable = (key: string, expected: string): ReadToken => ({
    kind: 'unusable',
    id,
    message: `Secret ${metadata.namespace}/${metadata.name}: data["${key}"] is not ${expected}; delete it and make a new token`,
  })
  const hash = member('token-sha256') ?? ''
  const pool = member('pool') ?? ''
  const machine = member('machine')
  const expires = member('expires')
  const revoked = member(revokedKey)
  const maxUses = member('max-uses')
  const sources = (member('sources') ?? '').split(',').filter((source) => source !== '')
  if (!/^[0-9a-f]{64}$/.test(hash)) return unusable('token-sha256', '64 hexadecimal digits')
  if (pool === '') return unusable('pool', 'the name of a pool')
  if (expires !== undefined && Number.isNaN(Date.parse(expires))) return unusable('expires', 'a time (RFC 3339)')
  if (revoked !== undefined && Number.isNaN(Date.parse(revoked))) return unusable(revokedKey, 'a time (RFC 3339)')
  if (maxUses !== undefined && !/^[1-9]\d{0,8}$/.test(maxUses)) return unusable('max-uses', 'a number from 1')
  // A source that is left out would let everybody in.
  if (!sources.every((source) => parseCidr(source) !== undefined)) return unusable('sources', 'a list of CIDRs')
  const uses = metadata.annotations?.[joinToken.usesAnnotation]
  return {
    kind: 'token',
    record: {
      id,
      hash,
      pool,
      ...(machine && { machine }),
      ...(expires !== undefined && { expiresAt: new Date(expires) }),
      ...(revoked !== undefined && { revokedAt: new Date(revoked) }),
      ...(maxUses !== undefined && { maxUses: Number(maxUses) }),
      sources,
      uses: uses === undefined ? noUses : readUses(uses),
    },
  }
}

/** What makes a token's Secret say that it is revoked; everything else in it stays. */
export const revocation = (now: Date): { readonly data: Readonly<Record<string, string>> } => ({
  data: { [revokedKey]: Buffer.from(now.toISOString()).toString('base64') },
})

/** The sources as networks; `secretToToken` has checked them. */
export const networksOf = ({ sources }: TokenRecord): readonly Cidr[] =>
  sources.flatMap((source) => parseCidr(source) ?? [])
