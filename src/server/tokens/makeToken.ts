import type { TokenRecord } from './tokenRecord.ts'
import { mintTokenText, tokenHash } from './tokenText.ts'
import { noUses } from './tokenUses.ts'

export interface TokenWish {
  readonly pool: string
  readonly machine?: string
  /** Absent: it never expires. */
  readonly lifetimeMs?: number
  readonly maxUses?: number
  readonly sources?: readonly string[]
  /** 8 to 20 small letters and digits; a random one by default. */
  readonly id?: string
}

/** Random bytes as a port: as many as asked for, from a source fit for secrets. */
export type RandomBytes = (count: number) => Uint8Array

/** A new token: its text, which is shown once and never stored, and the record that is. */
export function makeToken(
  { pool, machine, lifetimeMs, maxUses, sources = [], id }: TokenWish,
  randomBytes: RandomBytes,
  now: Date,
): { readonly text: string; readonly record: TokenRecord } {
  const name = id ?? Buffer.from(randomBytes(5)).toString('hex')
  const text = mintTokenText(name, now, randomBytes(32))
  return {
    text,
    record: {
      id: name,
      hash: tokenHash(text),
      pool,
      ...(machine !== undefined && { machine }),
      ...(lifetimeMs !== undefined && { expiresAt: new Date(now.getTime() + lifetimeMs) }),
      ...(maxUses !== undefined && { maxUses }),
      sources,
      uses: noUses,
    },
  }
}
