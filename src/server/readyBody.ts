import { createHash } from 'node:crypto'
import type { ReadyBody } from './answerRequest.ts'
import { bytesWithRoom } from './wholeAnswers.ts'

/** A document with everything that its answers need. */
export function readyBody(config: string, text: string, secretPaths: readonly string[]): ReadyBody {
  const body = bytesWithRoom(text)
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length, ETag: etag } as const
  return { kind: 'ready', body, config, headers, secretPaths }
}
