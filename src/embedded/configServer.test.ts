import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigMap, Secret } from '../api/core.ts'
import { caBundleKey, operatorNamespace, serverObject } from '../api/names.ts'
import { systemClock } from '../kube/clock.ts'
import { silentLog } from '../kube/log.ts'
import { reservePort } from './configServer.ts'
import { planFleet } from './fleet.ts'
import { type SingleProcessCluster, startSingleProcess } from './singleProcess.ts'

describe('reservePort', () => {
  it('picks a free one for 0, and says so when a given one is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise<void>((resolve) => taken.once('listening', () => resolve()))
    const { port } = taken.address() as AddressInfo
    expect(await reservePort(0)).toBeGreaterThan(0)
    await expect(reservePort(port)).rejects.toMatchObject({ code: 'EADDRINUSE', port })
    taken.close()
  })
})

describe('the config server of a cluster in one process', () => {
  let cluster: SingleProcessCluster
  beforeAll(async () => {
    const plan = planFleet(new Map([['worker', 1]]))
    if (plan.kind !== 'planned') throw new Error(plan.reason)
    cluster = await startSingleProcess({
      dataDir: ':memory:',
      port: 0,
      configServer: { port: 0 },
      fleet: plan.nodes,
      customPools: [],
      build: { version: 'v', hash: 'h' },
      clock: systemClock,
      random: Math.random,
      log: silentLog,
      rebootMs: 10,
      durableNodes: false,
    })
    await cluster.updated()
  })
  afterAll(() => cluster.close())

  interface Pointer {
    readonly ignition: {
      readonly config: { readonly merge: readonly { source: string; httpHeaders: readonly { value: string }[] }[] }
    }
  }

  async function pointerOf(pool: string): Promise<{ readonly source: string; readonly authorization: string }> {
    const key = { name: `${pool}-user-data-managed`, namespace: operatorNamespace }
    const { data = {} } = await cluster.kube.get(Secret, key)
    const pointer: Pointer = JSON.parse(Buffer.from(data.userData ?? '', 'base64').toString())
    const [merge] = pointer.ignition.config.merge
    return { source: merge?.source ?? '', authorization: merge?.httpHeaders[0]?.value ?? '' }
  }

  async function fetchConfig(
    url: string,
    authorization: string,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const bundle = await cluster.kube.get(ConfigMap, { name: serverObject.ca, namespace: operatorNamespace })
    const ca = bundle.data?.[caBundleKey] ?? ''
    const accept = 'application/vnd.coreos.ignition+json;version=3.4.0'
    return await new Promise((resolve, reject) => {
      request(url, { ca, agent: false, headers: { accept, authorization } }, (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString()
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
        .on('error', reject)
        .end()
    })
  }

  it('serves a pool to whoever holds the pointer of that pool, and to nobody else', async () => {
    const { source, authorization } = await pointerOf('worker')
    expect(source).toBe(`${cluster.configUrl}/worker`)
    const status = () => fetchConfig(source, authorization).then((reply) => reply.status)
    await expect.poll(status).toBe(200)
    const { body } = await fetchConfig(source, authorization)
    expect(body).toContain('/etc/ignition-machine-config-encapsulated.json')
    expect(await fetchConfig(source, 'Bearer nothing')).toEqual({ status: 401, body: '' })
    expect(await fetchConfig(`${cluster.configUrl}/master`, authorization)).toEqual({ status: 403, body: '' })
  })
})
