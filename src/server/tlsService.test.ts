import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAuthority, issueCertificate, type KeyPair } from '../certificates/issueCertificate.ts'
import { systemClock } from '../kube/clock.ts'
import { silentLog } from '../kube/log.ts'
import { openGate } from './admission.ts'
import type { Bodies } from './answerRequest.ts'
import { type ConfigServiceOptions, startConfigService } from './configService.ts'
import { readyBody } from './readyBody.ts'
import { failure } from './serveFailure.ts'
import { serverMetricsPage } from './serverMetrics.ts'
import { type CertificateHolder, certificateHolder, followFiles, readPair } from './servingCertificate.ts'
import { type TlsChoice, tlsSettings } from './tlsSettings.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

let authority: KeyPair
beforeAll(async () => {
  authority = await createAuthority('test', new Date())
})

const issue = (): Promise<KeyPair> =>
  issueCertificate(
    authority,
    { kind: 'server', commonName: 'server', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] },
    new Date(),
  )

const small: Bodies['find'] = () => readyBody('rendered-worker-1', '{}', [])

async function start(
  choice: TlsChoice = {},
  holder?: CertificateHolder,
  find: Bodies['find'] = small,
  options: Partial<ConfigServiceOptions> = {},
): Promise<number> {
  const tls = tlsSettings(choice)
  if (tls.kind === 'invalid') throw new Error(tls.message)
  const certificate = holder ?? certificateHolder(await issue())
  const service = await startConfigService({
    listen: [{ kind: 'tls', host: '127.0.0.1', port: 0, certificate, settings: tls.settings }],
    bodies: { find },
    gate: openGate,
    now: () => new Date(),
    isReady: () => true,
    allowsOpenSecrets: false,
    metrics: serverMetricsPage(),
    log: silentLog,
    ...options,
  })
  closings.push(() => service.close())
  return Number(new URL(service.urls[0] ?? '').port)
}

async function shake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.certificatePem, ...options })
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
  })
  socket.once('error', () => socket.destroy())
  return socket
}

describe('the TLS listener', () => {
  it('serves over a connection that only trusts the given authority', async () => {
    const port = await start()
    const status = await new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: '/config/worker', ca: authority.certificatePem, agent: false }
      request(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(200)
  })

  it('sends each of many clients at once its own header and the whole body, over connections that stay', async () => {
    const texts = new Map(['worker', 'master'].map((pool) => [pool, `{"${pool}":"${'ä'.repeat(400_000)}"}`]))
    const bodies = new Map([...texts].map(([pool, text]) => [pool, readyBody(`rendered-${pool}`, text, [])]))
    const find: Bodies['find'] = (pool) => bodies.get(pool) ?? failure('PoolNotFound', pool)
    const port = await start({}, undefined, find)
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    closings.push(async () => agent.destroy())
    const ask = (path: string, method: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path, method, ca: authority.certificatePem, agent }
        request(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            const pool = [...texts].find(([, known]) => known === text)?.[0] ?? text
            resolve(`${response.statusCode} ${response.headers['content-length']} ${response.headers.etag} ${pool}`)
          })
        })
          .on('error', reject)
          .end()
      })
    const length = (pool: string) => Buffer.byteLength(texts.get(pool) ?? '')
    const etag = (pool: string) => bodies.get(pool)?.headers.ETag
    const asked = Array.from({ length: 60 }, (_, index) =>
      index % 3 === 0 ? ['worker', 'GET'] : index % 3 === 1 ? ['master', 'GET'] : ['master', 'HEAD'],
    )
    const replies = await Promise.all(asked.map(([pool = '', method = '']) => ask(`/config/${pool}`, method)))
    expect(replies).toEqual(
      asked.map(([pool = '', method]) => `200 ${length(pool)} ${etag(pool)} ${method === 'GET' ? pool : ''}`),
    )
  })

  it.each([
    ['TLS 1.2', {}, { maxVersion: 'TLSv1.2' }, 'TLSv1.2'],
    ['TLS 1.3', {}, {}, 'TLSv1.3'],
    ['HTTP/1.1 by name', {}, { ALPNProtocols: ['h2', 'http/1.1'] }, 'TLSv1.3'],
    ['only TLS 1.3 when told so', { minVersion: 'VersionTLS13' }, {}, 'TLSv1.3'],
  ] as const)('speaks %s', async (_what, choice, options, protocol) => {
    const socket = await shake(await start(choice), options as ConnectionOptions)
    expect(socket.getProtocol()).toBe(protocol)
    socket.destroy()
  })

  it.each([
    ['TLS 1.1', {}, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }],
    ['HTTP/2', {}, { ALPNProtocols: ['h2'] }],
    ['TLS 1.2 below its minimum', { minVersion: 'VersionTLS13' }, { maxVersion: 'TLSv1.2' }],
    ['ciphers of yesterday', {}, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0' }],
  ] as const)('refuses %s', async (_what, choice, options) => {
    await expect(shake(await start(choice), options as unknown as ConnectionOptions)).rejects.toThrow()
  })

  it.each([
    ['says nothing', ''],
    ['stops in the middle of its hello', '\x16\x03\x01\x02\x00\x01\x00'],
    ['does not speak TLS', 'GET /config/worker HTTP/1.1\r\n\r\n'],
  ])('lets go of a client that %s', async (_what, said) => {
    const refused: string[] = []
    const port = await start({}, undefined, small, {
      limits: { headerTimeoutMs: 100 },
      metrics: { ...serverMetricsPage(), refusedConnection: (reason) => void refused.push(reason) },
    })
    const socket = connectPlain({ port, host: '127.0.0.1' })
    socket.on('error', () => socket.destroy())
    socket.write(Buffer.from(said, 'latin1'))
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(refused).toEqual(['TlsHandshakeFailed'])
  })

  it('shows a replaced certificate to new connections and keeps the open ones', async () => {
    const [first, second] = [await issue(), await issue()]
    const directory = await mkdtemp(join(tmpdir(), 'mco-tls-'))
    closings.push(() => rm(directory, { recursive: true }))
    const files = { certFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') }
    const write = async (pair: KeyPair): Promise<void> => {
      await writeFile(files.certFile, pair.certificatePem)
      await writeFile(files.keyFile, pair.keyPem)
    }
    await write(first)
    const holder = certificateHolder(await readPair(files))
    const port = await start({}, holder)
    const stop = new AbortController()
    const following = followFiles(holder, files, { clock: systemClock, log: silentLog, intervalMs: 20 }, stop.signal)
    const open = await shake(port)
    const before = open.getPeerX509Certificate()?.serialNumber
    // A pair that does not fit together changes nothing.
    await writeFile(files.keyFile, second.keyPem)
    await new Promise((resolve) => setTimeout(resolve, 60))
    const between = await shake(port)
    expect(between.getPeerX509Certificate()?.serialNumber).toBe(before)
    await write(second)
    const serial = async () => {
      const socket = await shake(port)
      const found = socket.getPeerX509Certificate()?.serialNumber
      socket.destroy()
      return found
    }
    await expect.poll(serial).not.toBe(before)
    expect(open.destroyed).toBe(false)
    for (const socket of [open, between]) socket.destroy()
    stop.abort()
    await following
  })
})

describe('tlsSettings', () => {
  it('translates the names of a profile', () => {
    const cipherSuites = [
      'TLS_AES_128_GCM_SHA256',
      'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
      'TLS_RSA_WITH_AES_128_CBC_SHA',
    ]
    expect(tlsSettings({ minVersion: 'VersionTLS11', cipherSuites })).toMatchObject({
      settings: {
        minVersion: 'TLSv1.1',
        ciphers: 'TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES128-GCM-SHA256:AES128-SHA:@SECLEVEL=0',
      },
    })
  })

  it.each([
    [{ minVersion: 'TLS1.2' }, 'TLS version "TLS1.2" is not known; expected VersionTLS10, VersionTLS11'],
    [{ cipherSuites: ['ROT13'] }, 'cipher suite "ROT13" is not known'],
    [{ cipherSuites: ['TLS_AES_128_GCM_SHA256'] }, 'TLS below 1.3 has none of the cipher suites given'],
  ])('refuses %j', (choice, message) => {
    expect(tlsSettings(choice)).toMatchObject({ kind: 'invalid', message: expect.stringContaining(message) })
  })
})
