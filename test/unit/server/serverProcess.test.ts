import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ConfigMap, Secret } from '../../../src/api/core.ts'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { machineConfigAnnotation, operatorNamespace } from '../../../src/api/names.ts'
import { createAuthority, issueCertificate } from '../../../src/certificates/issueCertificate.ts'
import { inProcessTransport } from '../../../src/embedded/inProcessTransport.ts'
import { seedCluster } from '../../../src/embedded/seed.ts'
import { type RunningApiServer, startApiServer } from '../../../src/embedded/server/start.ts'
import { kubeClient } from '../../../src/kube/client.ts'
import { systemClock } from '../../../src/kube/clock.ts'
import { Retryable } from '../../../src/kube/errors.ts'
import type { KubeApi } from '../../../src/kube/kubeApi.ts'
import { silentLog } from '../../../src/kube/log.ts'
import type { Transport } from '../../../src/kube/transport.ts'
import { privateStyle } from '../../../src/server/servedConfig.ts'
import { runServerProcess, type ServerProcessOptions } from '../../../src/server/serverProcess.ts'
import { tlsSettings } from '../../../src/server/tlsSettings.ts'
import { makeToken } from '../../../src/server/tokens/makeToken.ts'
import { tokenToSecret } from '../../../src/server/tokens/tokenRecord.ts'

const closings: (() => Promise<void>)[] = []
let directory = ''
let api: RunningApiServer
let kube: KubeApi
/** The cluster's API as the config server sees it; a test takes it away. */
let isAway = false

beforeEach(async () => {
  isAway = false
  directory = await mkdtemp(join(tmpdir(), 'mco-server-'))
  api = await startApiServer({ dataDir: ':memory:' })
  kube = kubeClient(inProcessTransport(api.handle))
  closings.push(
    () => rm(directory, { recursive: true }),
    () => api.close(),
  )
  await seedCluster(kube, { version: 'v', hash: 'h' }, ['infra'], new Date())
  const authority = await createAuthority('test', new Date())
  const names = { commonName: 'server', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] }
  const { certificatePem, keyPem } = await issueCertificate(authority, { kind: 'server', ...names }, new Date())
  await mkdir(join(directory, 'token'))
  await writeFile(join(directory, 'ca.pem'), authority.certificatePem)
  await writeFile(join(directory, 'tls.crt'), certificatePem)
  await writeFile(join(directory, 'tls.key'), keyPem)
  await writeFile(join(directory, 'token', 'token'), 'join-me')
  await writeFile(join(directory, 'token', 'ca.crt'), 'API CA')
  caPem = authority.certificatePem
})
let caPem = ''

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function render(name: string, text: string, mark?: string): Promise<void> {
  const annotations = mark === undefined ? {} : { [machineConfigAnnotation.secretPaths]: mark }
  await kube.create(MachineConfig, {
    metadata: { name, annotations },
    spec: {
      config: {
        ignition: { version: '3.5.0' },
        storage: { files: [{ path: '/etc/app', contents: { source: `data:,${text}` }, mode: 0o644 }] },
      },
    },
  })
}

async function point(pool: string, config: string): Promise<void> {
  const found = await kube.get(MachineConfigPool, { name: pool })
  const counts = { machineCount: 0, updatedMachineCount: 0, readyMachineCount: 0, unavailableMachineCount: 0 }
  const status = { ...counts, degradedMachineCount: 0, configuration: { name: config } }
  await kube.updateStatus(MachineConfigPool, { ...found, status })
}

interface Running {
  readonly port: number
  stop(): Promise<void>
}

async function start(options: Partial<ServerProcessOptions> = {}): Promise<Running> {
  const inner = inProcessTransport(api.handle)
  const transport: Transport = {
    request: (wanted) => (isAway ? Promise.reject(new Retryable('ECONNREFUSED')) : inner.request(wanted)),
  }
  const tls = tlsSettings({})
  if (tls.kind === 'invalid') throw new Error(tls.message)
  const stop = new AbortController()
  let done: Promise<void> = Promise.resolve()
  const urls = await new Promise<readonly string[]>((resolve, reject) => {
    done = runServerProcess(
      {
        kube: kubeClient(transport),
        clock: systemClock,
        random: Math.random,
        log: silentLog,
        listen: { host: '127.0.0.1', securePort: 0 },
        certificate: { kind: 'files', certFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') },
        tls: tls.settings,
        access: 'open',
        allowsOpenSecrets: false,
        join: {
          kind: 'directory',
          directory: join(directory, 'token'),
          format: 'kubeconfig',
          apiServerUrl: 'https://api.example:6443',
        },
        style: privateStyle,
        keepDirectory: join(directory, 'kept'),
        status: { host: '127.0.0.1', port: 0 },
        onListening: resolve,
        ...options,
      },
      stop.signal,
    )
    done.catch(reject)
  })
  const end = async (): Promise<void> => {
    stop.abort()
    await done
  }
  closings.push(end)
  return { port: Number(new URL(urls[0] ?? '').port), stop: end }
}

interface Reply {
  readonly status: number
  readonly reason: string | undefined
  readonly body: string
}

const ask = ({ port }: Running, pool: string, version = '3.5.0', token?: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const accept = `application/vnd.coreos.ignition+json;version=${version}`
    const headers = { accept, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const options = { host: '127.0.0.1', port, path: `/config/${pool}`, ca: caPem, headers, agent: false }
    request(options, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      const reason = response.headers['x-machine-config-error']
      response.on('end', () => resolve({ status: response.statusCode ?? 0, reason: reason?.toString(), body }))
    })
      .on('error', reject)
      .end()
  })

const statusOf = (server: Running, pool: string) => () => ask(server, pool).then(({ status }) => status)

it('serves what a pool completed, in each version, with what a machine needs to join', async () => {
  await render('rendered-worker-1', 'one')
  await point('worker', 'rendered-worker-1')
  const server = await start()
  await expect.poll(statusOf(server, 'worker')).toBe(200)
  for (const version of ['2.2.0', '3.0.0', '3.1.0', '3.2.0', '3.3.0', '3.4.0', '3.5.0']) {
    const { body } = await ask(server, 'worker', version)
    const config: { ignition: { version: string }; storage: { files: { path: string; mode: number }[] } } =
      JSON.parse(body)
    expect(config.ignition.version).toBe(version)
    expect(config.storage.files.map(({ path, mode }) => [path, mode.toString(8)])).toEqual([
      ['/etc/app', '644'],
      ['/etc/machine-config-daemon/node-annotations.json', '644'],
      ['/etc/kubernetes/kubeconfig', '600'],
      ['/etc/mcs-machine-config-content.json', '600'],
      ['/etc/ignition-machine-config-encapsulated.json', '600'],
    ])
  }
  expect(decodeURIComponent((await ask(server, 'worker')).body)).toContain('token: join-me')
})

it('follows the pool, a custom pool, and the credentials', async () => {
  await render('rendered-infra-1', 'one')
  await render('rendered-infra-2', 'two')
  await point('infra', 'rendered-infra-1')
  const server = await start()
  const body = () => ask(server, 'infra').then((reply) => decodeURIComponent(reply.body))
  await expect.poll(body).toContain('rendered-infra-1')
  await point('infra', 'rendered-infra-2')
  await expect.poll(body).toContain('rendered-infra-2')
  expect(await body()).not.toContain('rendered-infra-1')
  const caBundle = Buffer.from('NEW CA').toString('base64')
  await kube.create(ConfigMap, {
    metadata: { name: 'kubeconfig-data', namespace: operatorNamespace },
    binaryData: { 'ca-bundle.crt': caBundle },
  })
  await expect.poll(body).toContain(caBundle)
})

it('says why there is nothing to serve', async () => {
  await point('worker', 'rendered-worker-gone')
  const server = await start()
  await expect.poll(() => ask(server, 'nobody').then(({ reason }) => reason)).toBe('PoolNotFound')
  expect(await ask(server, 'nobody')).toMatchObject({ status: 500 })
  expect(await ask(server, 'worker')).toMatchObject({ status: 500, reason: 'ConfigNotFound' })
  expect(await ask(server, 'master')).toMatchObject({ status: 500, reason: 'PoolWithoutConfig' })
})

it('serves marked secrets to nobody without a token, unless told to', async () => {
  await render('rendered-worker-1', 'one', '/etc/app')
  await point('worker', 'rendered-worker-1')
  const strict = await start()
  await expect.poll(() => ask(strict, 'worker').then(({ reason }) => reason)).toBe('SecretsInOpenMode')
  expect(await ask(strict, 'worker')).toMatchObject({ status: 503, body: '' })
  const lax = await start({ allowsOpenSecrets: true })
  await expect.poll(statusOf(lax, 'worker')).toBe(200)
})

it('wants a token where tokens are asked for, and tells no pools apart without one', async () => {
  await render('rendered-worker-1', 'one')
  await point('worker', 'rendered-worker-1')
  const server = await start({ access: 'token' })
  expect(await ask(server, 'worker')).toMatchObject({ status: 401, body: '' })
  expect(await ask(server, 'worker')).toEqual(await ask(server, 'nobody'))
})

it('serves on while the API is away, also after a restart, and keeps what it knows to itself', async () => {
  await render('rendered-worker-1', 'one')
  await point('worker', 'rendered-worker-1')
  const first = await start()
  const kept = join(directory, 'kept')
  await expect.poll(() => readdir(kept), { timeout: 5000 }).toEqual(['join-tokens', 'worker.json'])
  const modes = await Promise.all([stat(kept), stat(join(kept, 'worker.json'))])
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['700', '600'])
  const before = await ask(first, 'worker', '3.2.0')
  isAway = true
  expect((await ask(first, 'worker')).status).toBe(200)
  await first.stop()
  const second = await start()
  expect(await ask(second, 'worker', '3.2.0')).toEqual(before)
  expect(await ask(second, 'infra')).toMatchObject({ status: 503, reason: 'NotSynchronised' })
  isAway = false
  await render('rendered-worker-2', 'two')
  await point('worker', 'rendered-worker-2')
  const body = () => ask(second, 'worker').then((reply) => decodeURIComponent(reply.body))
  await expect.poll(body, { timeout: 10_000 }).toContain('rendered-worker-2')
})

it('knows its tokens while the API is away, after a restart, and does not keep what it could be read from', async () => {
  await render('rendered-worker-1', 'one')
  await point('worker', 'rendered-worker-1')
  const { text, record } = makeToken({ pool: 'worker', lifetimeMs: 3_600_000 }, randomBytes, new Date())
  await kube.create(Secret, tokenToSecret(record, operatorNamespace))
  const first = await start({ access: 'token' })
  await expect.poll(() => ask(first, 'worker', '3.5.0', text).then(({ status }) => status)).toBe(200)
  expect((await ask(first, 'infra', '3.5.0', text)).status).toBe(403)
  const file = join(directory, 'kept', 'join-tokens')
  const keptText = () => readFile(file, 'utf8').catch((error: unknown) => String(error))
  await expect.poll(keptText, { timeout: 5000 }).toContain(record.id)
  expect(await keptText()).not.toContain(text)
  await expect.poll(() => readdir(join(directory, 'kept')), { timeout: 5000 }).toContain('worker.json')
  await first.stop()
  isAway = true
  const second = await start({ access: 'token' })
  expect((await ask(second, 'worker', '3.5.0', text)).status).toBe(200)
  expect((await ask(second, 'worker', '3.5.0', `${text}x`)).status).toBe(401)
  const stranger = makeToken({ pool: 'worker' }, randomBytes, new Date(Date.now() - 86_400_000)).text
  expect(await ask(second, 'worker', '3.5.0', stranger)).toMatchObject({ status: 503, reason: 'TokenNotKnownYet' })
})
