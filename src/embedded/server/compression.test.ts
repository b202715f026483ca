import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bytesResponse } from './apiRequest.ts'
import { compressed } from './compression.ts'

const large = Buffer.alloc(200 * 1024, 'text ')
const answerTo = (accepted: string | undefined, body: Uint8Array = large, method = 'GET') =>
  compressed(
    { method, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } },
    bytesResponse(200, body),
  )

describe('compressed', () => {
  it.each(['gzip', 'br, gzip;q=0.5', '*'])('compresses a large answer for %s', async (accepted) => {
    const { headers, body } = await answerTo(accepted)
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'application/json' })
    expect(body instanceof Uint8Array && gunzipSync(body).equals(large)).toBe(true)
  })

  it.each<[string, Promise<{ readonly body: unknown }>]>([
    ['a reader that says nothing', answerTo(undefined)],
    ['a reader that refuses it', answerTo('gzip;q=0, br')],
    ['a small answer', answerTo('gzip', large.subarray(0, 1000))],
    ['the answer to a write', answerTo('gzip', large, 'POST')],
  ])('leaves %s alone', async (_, answer) => {
    expect(await answer).not.toHaveProperty('headers.content-encoding')
  })
})
