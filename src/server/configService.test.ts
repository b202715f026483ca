import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../kube/log.ts'
import type { Served } from './admission.ts'
import { openGate } from './admission.ts'
import type { Bodies } from './answerRequest.ts'
import { type ConfigService, type ConfigServiceOptions, startConfigService } from './configService.ts'
import { readyBody } from './readyBody.ts'
import { failure } from './serveFailure.ts'
import { serverMetricsPage } from './serverMetrics.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const small = '{"ignition":{"version":"3.5.0"}}'
const bodies: Bodies = {
  find(pool, version) {
    if (pool === 'worker') return readyBody('rendered-worker-1', small, [])
    if (pool === 'big') return readyBody('rendered-big-1', 'x'.repeat(8_000_000), [])
    if (pool === 'late') return Promise.resolve(readyBody('rendered-late-1', small, []))
    if (pool === 'secret') return readyBody('rendered-secret-1', small, ['/etc/secret'])
    if (pool === 'fresh') return failure('PoolWithoutConfig', 'no rendered config yet')
    if (pool === 'bug') throw new Error(`a bug in ${version}`)
    return failure('PoolNotFound', 'no such pool')
  },
}

interface Started {
  readonly url: string
  readonly port: number
  readonly metrics: () => string
  readonly lines: string[]
  readonly service: ConfigService
  readonly served: Served[]
}

async function start(options: Partial<ConfigServiceOptions> = {}): Promise<Started> {
  const page = serverMetricsPage()
  const lines: string[] = []
  const say = (message: string, fields = {}) => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const served: Served[] = []
  const service = await startConfigService({
    listen: [{ kind: 'plain', host: '127.0.0.1', port: 0 }],
    bodies,
    gate: openGate,
    now: () => new Date(),
    isReady: () => true,
    allowsOpenSecrets: false,
    metrics: page,
    log: { ...silentLog, info: say, warn: say, error: say },
    onServed: (one) => void served.push(one),
    ...options,
  })
  closings.push(() => service.close())
  const [url = ''] = service.urls
  return { url, port: Number(new URL(url).port), metrics: page.render, lines, service, served }
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const ask = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers, agent: false }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })

/** Everything that the server sends until it closes the connection. */
async function speak(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', () => socket.destroy())
  socket.write(text)
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return heard
}

describe('the config service answers', () => {
  it('a config, with its length, type and tag, and tells who got it', async () => {
    const { url, served, lines } = await start()
    const reply = await ask(`${url}/config/worker`, { 'user-agent': 'Ignition/2.20.0' })
    expect(reply).toMatchObject({ status: 200, body: small })
    expect(reply.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '32' })
    expect(served).toMatchObject([{ pool: 'worker', config: 'rendered-worker-1', userAgent: 'Ignition/2.20.0' }])
    expect(lines.join()).toContain('"remoteAddress":"127.0.0.1"')
    expect(await ask(`${url}/config/late`)).toMatchObject({ status: 200, body: small })
  })

  it('HEAD with the headers of GET, and 304 to who has it', async () => {
    const { url, served } = await start()
    const head = await ask(`${url}/config/worker`, {}, 'HEAD')
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe('32')
    expect(await ask(`${url}/config/worker`, { 'if-none-match': head.headers.etag ?? '' })).toMatchObject({
      status: 304,
    })
    expect(served).toEqual([])
  })

  it.each([
    ['an unknown pool', '/config/nobody', {}, 500, 'PoolNotFound'],
    ['a pool without a config', '/config/fresh', {}, 500, 'PoolWithoutConfig'],
    ['a bug of ours', '/config/bug', {}, 500, 'InternalError'],
    [
      'a version from the future',
      '/config/worker',
      { accept: 'a/vnd.coreos.ignition+json;version=9.0.0' },
      400,
      'IgnitionVersionNotSupported',
    ],
    ['a path out of the tree', '/config/..%2f..%2fetc%2fpasswd', {}, 500, 'PoolNotFound'],
    ['a broken escape', '/config/%zz', {}, 400, 'BadRequestTarget'],
    ['secrets for nobody in particular', '/config/secret', {}, 503, 'SecretsInOpenMode'],
    ['another path', '/metrics', {}, 404, 'NoSuchPath'],
  ])('%s with an empty body and a reason', async (_what, path, headers, status, reason) => {
    const { url, lines } = await start()
    const reply = await ask(`${url}${path}`, headers)
    expect(reply).toMatchObject({ status, body: '' })
    expect(reply.headers).toMatchObject({ 'content-length': '0', 'x-machine-config-error': reason })
    expect(lines.join('\n')).toContain(reason === 'InternalError' ? 'a bug in' : reason)
  })

  it('malformed Accept headers as if there were none', async () => {
    const { url } = await start()
    for (const accept of [';;;', ',', 'a/b;q=', 'x'.repeat(4000), '\u00ff/\u00ff;version=\u00ff']) {
      expect(await ask(`${url}/config/worker`, { accept })).toMatchObject({ status: 200 })
    }
  })

  it('readiness by what it has, and health always', async () => {
    let isReady = false
    const { url } = await start({ isReady: () => isReady })
    expect((await ask(`${url}/readyz`)).status).toBe(503)
    expect((await ask(`${url}/healthz`)).status).toBe(200)
    isReady = true
    expect((await ask(`${url}/readyz`)).status).toBe(200)
  })

  it('what a gate refuses with its status and reason, before it looks for the pool', async () => {
    const { url, metrics } = await start({
      gate: { judge: () => ({ kind: 'refuse', status: 401, reason: 'TokenMissing' }) },
    })
    for (const pool of ['worker', 'nobody']) {
      const reply = await ask(`${url}/config/${pool}`)
      expect(reply.status).toBe(401)
      expect(reply.headers['x-machine-config-error']).toBe('TokenMissing')
    }
    expect(metrics()).toContain('mcs_requests_total{pool="",code="401",version="2.2.0"} 2')
  })
})

describe('the config service limits', () => {
  it('requests of one address, with a status that Ignition tries again after', async () => {
    const { url } = await start({ limits: { requestsPerSecond: 0.001, requestBurst: 2 } })
    const statuses = []
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await ask(`${url}/healthz`)).status)
    expect(statuses).toEqual([200, 200, 503])
  })

  it('headers that are too large', async () => {
    const { port, metrics } = await start()
    const heard = await speak(port, `GET /config/worker HTTP/1.1\r\nHost: a\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(heard).toMatch(/^HTTP\/1\.1 431 .*X-Machine-Config-Error: HeaderTooLarge/s)
    expect(metrics()).toContain('mcs_denied_total{reason="HeaderTooLarge"} 1')
  })

  it.each([
    ['no HTTP', 'GET / FTP/1.1\r\n\r\n', 400],
    ['an unknown method', 'BREW /config/worker HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a body that never ends', 'POST /config/worker HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\nx', 405],
  ])('what is %s', async (_what, text, status) => {
    const { port } = await start({ limits: { headerTimeoutMs: 500 } })
    expect(await speak(port, text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('clients that never finish their header', async () => {
    const { port } = await start({ limits: { headerTimeoutMs: 200 } })
    expect(await speak(port, 'GET /config/worker HTT')).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('clients that read one byte at a time', async () => {
    const { port, lines } = await start({ limits: { sendTimeoutMs: 300 } })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.on('readable', () => socket.read(1))
    const reading = setInterval(() => socket.read(1), 20)
    socket.write('GET /config/big HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => lines.join('\n'), { timeout: 5000 }).toContain('reads too slowly')
    clearInterval(reading)
    socket.destroy()
  })

  it('connections of one address', async () => {
    const { port, metrics, url } = await start({ limits: { maxConnectionsPerAddress: 3 } })
    const open = await Promise.all(Array.from({ length: 3 }, () => opened(port)))
    expect(await speak(port, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('')
    expect(metrics()).toContain('mcs_denied_total{reason="TooManyConnectionsOfAddress"} 1')
    for (const socket of open) socket.destroy()
    await expect.poll(() => ask(`${url}/healthz`).then(({ status }) => status, String)).toBe(200)
  })

  it('more idle connections than there are places: they give way', async () => {
    const { port, url, metrics } = await start({ limits: { maxConnections: 20, maxConnectionsPerAddress: 100 } })
    const idle = await Promise.all(Array.from({ length: 60 }, () => opened(port)))
    for (let n = 0; n < 3; n += 1) expect(await ask(`${url}/config/worker`)).toMatchObject({ status: 200 })
    expect(metrics()).toMatch(/mcs_denied_total\{reason="IdleGaveWay"\} 4\d/)
    await expect.poll(() => idle.filter((socket) => !socket.closed).length).toBeLessThan(20)
    for (const socket of idle) socket.destroy()
  })

  it('3000 idle connections, and still answers', async () => {
    const { port, url } = await start({
      limits: { maxConnections: 3100, maxConnectionsPerAddress: 3100, headerTimeoutMs: 1500 },
    })
    const idle: Socket[] = []
    for (let batch = 0; batch < 30; batch += 1) {
      idle.push(...(await Promise.all(Array.from({ length: 100 }, () => opened(port)))))
    }
    const startedMs = performance.now()
    expect(await ask(`${url}/config/worker`)).toMatchObject({ status: 200 })
    expect(performance.now() - startedMs).toBeLessThan(1000)
    const left = () => idle.filter((socket) => !socket.closed).length
    await expect.poll(left, { timeout: 10_000 }).toBe(0)
  }, 20_000)
})

describe('the config service ends', () => {
  it('after what is under way, and takes no new connections', async () => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Bodies = { find: () => released.then(() => readyBody('rendered-worker-1', small, [])) }
    const { url, service } = await start({ bodies: slow })
    const reply = ask(`${url}/config/worker`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const closed = service.close()
    await expect(ask(`${url}/config/worker`)).rejects.toThrow('ECONNREFUSED')
    release()
    expect(await reply).toMatchObject({ status: 200, headers: { connection: 'close' } })
    await closed
  })
})

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  socket.resume()
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return socket
}
