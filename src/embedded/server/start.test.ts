import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:http2'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configMap, paths } from '../../../test/embedded/apiHarness.ts'
import type { KeyPair } from '../../certificates/issueCertificate.ts'
import { type RunningApiServer, startApiServer } from './start.ts'

const directory = mkdtempSync(join(tmpdir(), 'mco-start-'))
let server: RunningApiServer
let admin: KeyPair
beforeAll(async () => {
  server = await startApiServer({
    dataDir: directory,
    tokens: new Map([['secret-token', { name: 'joe', groups: ['system:masters'] }]]),
  })
  admin = await server.issueClientCertificate('kubernetes-admin', ['system:masters'])
})
afterAll(async () => {
  await server.close()
  rmSync(directory, { recursive: true, force: true })
})

interface Call {
  readonly method?: string
  readonly path: string
  readonly body?: string | Buffer
  readonly pair?: KeyPair
  readonly headers?: Record<string, string>
  readonly agent?: Agent
}

function call({
  method = 'GET',
  path,
  body,
  pair,
  headers = {},
  agent,
}: Call): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      {
        method,
        ca: server.caPem,
        ...(pair ? { cert: pair.certificatePem, key: pair.keyPem } : {}),
        headers: { 'content-type': 'application/json', ...headers },
        agent: agent ?? false,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const whoAmI = async (more: Partial<Call>) => {
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
  const { text } = await call({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body,
    ...more,
  })
  return JSON.parse(text).status.userInfo ?? JSON.parse(text)
}

describe('startApiServer', () => {
  test('knows clients by their certificate, its organizations being the groups', async () => {
    expect(await whoAmI({ pair: admin })).toEqual({
      username: 'kubernetes-admin',
      groups: ['system:masters', 'system:authenticated'],
    })
    const pair = await server.issueClientCertificate('system:node:a', ['system:nodes', 'extra'])
    expect(await whoAmI({ pair })).toEqual({
      username: 'system:node:a',
      groups: ['system:nodes', 'extra', 'system:authenticated'],
    })
  })

  test('knows clients by static tokens, and lets nobody else in', async () => {
    expect(await whoAmI({ headers: { authorization: 'Bearer secret-token' } })).toMatchObject({ username: 'joe' })
    expect((await call({ path: '/api/v1/nodes', headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await call({ path: '/api/v1/nodes' })).status).toBe(403)
    expect((await call({ path: '/healthz' })).text).toBe('ok')
  })

  test('refuses a certificate of another authority', async () => {
    const other = await startApiServer({ dataDir: ':memory:' })
    const foreign = await other.issueClientCertificate('kubernetes-admin', ['system:masters'])
    await other.close()
    expect((await call({ path: '/healthz', pair: foreign })).status).toBe(401)
  })

  test('streams a watch over HTTP/1.1 and ends it when the client leaves', async () => {
    const { promise, resolve, reject } = withResolvers<string>()
    const sent = request(
      `${server.url}${paths.configMaps}?watch=1`,
      { ca: server.caPem, cert: admin.certificatePem, key: admin.keyPem, agent: false },
      (response) => response.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    )
    sent.on('error', reject)
    sent.end()
    await call({ method: 'POST', path: paths.configMaps, body: JSON.stringify(configMap('streamed')), pair: admin })
    expect(JSON.parse(await promise)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'streamed' } } })
    sent.on('error', () => undefined)
    sent.destroy()
  })

  test('speaks HTTP/2, many requests on one connection', async () => {
    const session = connect(server.url, { ca: server.caPem, cert: admin.certificatePem, key: admin.keyPem })
    const get = (path: string) =>
      new Promise<number>((resolve, reject) => {
        const stream = session.request({ ':path': path })
        stream.on('response', (headers) => resolve(Number(headers[':status'])))
        stream.on('error', reject)
        stream.resume()
      })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => get(index % 2 ? '/api/v1/nodes' : '/version')),
    )
    expect(new Set(answers)).toEqual(new Set([200]))
    session.close()
  })

  test('goes on with a connection whose last body was too large, and ends one that does not stop', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: server.caPem })
    const post = (size: number) =>
      call({ method: 'POST', path: paths.configMaps, body: Buffer.alloc(size, 32), agent }).then(
        ({ status }) => status,
        (error: NodeJS.ErrnoException) => error.code,
      )
    const version = async () => (await call({ path: '/version', agent })).status
    expect([await post(4 * 1024 * 1024), await version()]).toEqual([413, 200])
    // A client that is still sending when the connection ends may not get to read why.
    expect([413, 'ECONNRESET', 'EPIPE']).toContain(await post(80 * 1024 * 1024))
    expect(await version()).toBe(200)
    agent.destroy()
  })

  test('reads the body of a client that it does not know before it says so', async () => {
    const other = await startApiServer({ dataDir: ':memory:' })
    const foreign = await other.issueClientCertificate('kubernetes-admin', ['system:masters'])
    await other.close()
    const agent = new Agent({
      keepAlive: true,
      maxSockets: 1,
      ca: server.caPem,
      cert: foreign.certificatePem,
      key: foreign.keyPem,
    })
    const sent = { method: 'POST', path: paths.configMaps, body: Buffer.alloc(1024 * 1024, 32), agent }
    expect([(await call(sent)).status, (await call(sent)).status]).toEqual([401, 401])
    agent.destroy()
  })

  test('refuses bodies above the limit with 413', async () => {
    const { status, text } = await call({
      method: 'POST',
      path: paths.configMaps,
      body: Buffer.alloc(3 * 1024 * 1024 + 1, 32),
      pair: admin,
    })
    expect([status, JSON.parse(text).reason]).toEqual([413, 'RequestEntityTooLarge'])
  })

  test('writes a kubeconfig that only its owner can read, with everything inline', () => {
    expect(readFileSync(server.kubeconfigPath, 'utf8')).toBe(server.adminKubeconfig)
    expect(server.adminKubeconfig).toContain(`server: ${server.url}`)
    expect(statSync(server.kubeconfigPath).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'pki', 'ca.key')).mode & 0o777).toBe(0o600)
  })

  test('serves the same objects to the same certificates after a restart', async () => {
    await call({
      method: 'POST',
      path: paths.configMaps,
      body: JSON.stringify(configMap('kept', { x: '1' })),
      pair: admin,
    })
    await server.close()
    server = await startApiServer({ dataDir: directory })
    const { status, text } = await call({ path: `${paths.configMaps}/kept`, pair: admin })
    expect([status, JSON.parse(text).data]).toEqual([200, { x: '1' }])
  })
})

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept
    reject = refuse
  })
  return { promise, resolve, reject }
}
