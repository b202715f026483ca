import { hash, timingSafeEqual } from 'node:crypto'

/**
 * A join token as a machine shows it: `ID.ISSUED.SECRET`. The id finds the record, so that no record is compared with a token
 * of another; the time of issue tells a token that the server cannot know yet from one that never was. Only SHA-256 of the
 * whole is stored: the secret has 256 random bits, so there is nothing that a slow hash would make harder to guess.
 */
export interface TokenText {
  readonly text: string
  readonly id: string
  readonly issuedAt: Date
}

/** Makes the text from an id of 8 to 20 letters and digits and 32 random bytes. */
export function mintTokenText(id: string, issuedAt: Date, secret: Uint8Array): string {
  if (!idPattern.test(id)) throw new Error(`a token's id has 8 to 20 small letters and digits, found ${id}`)
  if (secret.length !== 32) throw new Error(`a token's secret has 32 bytes, found ${secret.length}`)
  const issued = Math.floor(issuedAt.getTime() / 1000).toString(36)
  return `${id}.${issued}.${Buffer.from(secret).toString('base64url')}`
}

/** Undefined for anything that we never made; an answer about it must not repeat it. */
export function parseTokenText(text: string): TokenText | undefined {
  const [, id, issued] = textPattern.exec(text) ?? []
  if (id === undefined || issued === undefined) return undefined
  return { text, id, issuedAt: new Date(Number.parseInt(issued, 36) * 1000) }
}

export const tokenHash = (text: string): string => hash('sha256', text)

/** Takes the same time wherever the first difference is. */
export function isTokenOf(text: string, expectedHash: string): boolean {
  const expected = Buffer.from(expectedHash, 'hex')
  const found = hash('sha256', text, 'buffer')
  return expected.length === found.length && timingSafeEqual(expected, found)
}

const idPattern = /^[a-z0-9]{8,20}$/
/** Six digits of base 36 hold every second until 2038, seven until 4453. */
const textPattern = /^([a-z0-9]{8,20})\.([0-9a-z]{6,7})\.[A-Za-z0-9_-]{43}$/
