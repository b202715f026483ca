import { expect, it } from 'vitest'
import { openGate } from './admission.ts'

it('openGate serves whoever asks, without an identity', async () => {
  const request = { pool: 'worker', remoteAddress: '192.0.2.1', headers: {}, url: '/config/worker', now: new Date(0) }
  expect(await openGate.judge(request)).toEqual({ kind: 'serve' })
})
