import { afterEach, expect, test } from 'vitest'
import { type Answer, failure, json, type ScriptedServer, scriptedServer } from '../../test/kube/scriptedServer.ts'
import type { Credentials } from './credentials.ts'
import { httpTransport } from './httpTransport.ts'
import type { TransportRequest } from './transport.ts'

let server: ScriptedServer
afterEach(() => server.close())

/** Tokens `t1`, `t2`, ...: a new one after each rejection. */
function rotating(): Credentials & { readonly rejections: () => number } {
  let issued = 1
  return {
    current: async () => ({ authorization: `Bearer t${issued}` }),
    reject: () => void issued++,
    rejections: () => issued - 1,
  }
}

async function start(script: Answer[], { path = '', credentials }: { path?: string; credentials?: Credentials } = {}) {
  server = await scriptedServer(...script)
  const transport = httpTransport({ server: new URL(path, server.url), ...(credentials && { credentials }) })
  return async (request: Partial<TransportRequest> = {}) => {
    const { status, headers, body } = await transport.request({ method: 'GET', path: '/api', ...request })
    let text = ''
    for await (const chunk of body) text += Buffer.from(chunk).toString()
    return { status, type: headers['content-type'], text }
  }
}

const cut: Answer = (response) => void response.socket?.resetAndDestroy()

test('httpTransport keeps the base path of the server and encodes the query', async () => {
  const request = await start([json({})], { path: '/clusters/one/' })
  expect(await request({ query: { labelSelector: 'a in (b,c)' } })).toEqual({
    status: 200,
    type: 'application/json',
    text: '{}',
  })
  expect([server.requests[0]?.path, server.requests[0]?.query.get('labelSelector')]).toEqual([
    '/clusters/one/api',
    'a in (b,c)',
  ])
})

test('httpTransport asks once more with new credentials after a 401', async () => {
  const credentials = rotating()
  const request = await start([failure(401, 'Unauthorized', 'expired'), json({})], { credentials })
  expect((await request()).status).toBe(200)
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
})

test('httpTransport gives back the second 401', async () => {
  const credentials = rotating()
  const request = await start([failure(401, 'Unauthorized', 'no'), failure(401, 'Unauthorized', 'no')], { credentials })
  expect([(await request()).status, server.requests.length, credentials.rejections()]).toEqual([401, 2, 1])
})

test('httpTransport reads once more when the server closed a kept-alive connection', async () => {
  const request = await start([json({}), cut, json({ again: true })])
  await request()
  expect((await request()).text).toBe('{"again":true}')
})

test('httpTransport does not write once more: the first may have arrived', async () => {
  const request = await start([json({}), cut, json({})])
  await request()
  await expect(request({ method: 'POST', body: '{}' })).rejects.toThrow('ECONNRESET')
  expect(server.requests).toHaveLength(2)
})

test('httpTransport does not read once more over a new connection: the server is in trouble', async () => {
  const request = await start([cut, json({})])
  await expect(request()).rejects.toThrow()
  expect(server.requests).toHaveLength(1)
})

test('httpTransport sends nothing for a signal that has aborted', async () => {
  const request = await start([])
  await expect(request({ signal: AbortSignal.abort(new Error('stopping')) })).rejects.toThrow('stopping')
  expect(server.requests).toEqual([])
})
