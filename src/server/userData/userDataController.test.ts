import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import { aPool } from '../../../test/unit/rolloutBuilders.ts'
import { ConfigMap, Secret } from '../../api/core.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { caBundleKey, certificateAnnotation, upgradeStubAnnotation } from '../../api/names.ts'
import { serverCertificateController } from '../../certificates/serverCertificateController.ts'
import { silentLog } from '../../kube/log.ts'
import { isTokenSecret, secretToToken } from '../tokens/tokenRecord.ts'
import { isTokenOf } from '../tokens/tokenText.ts'
import { userDataTokenLifetimeMs } from './keepToken.ts'
import { tokenInPointer, userDataOf, withUserData } from './managedUserData.ts'
import { userDataController } from './userDataController.ts'

const namespace = 'openshift-machine-config-operator'
const userDataNamespace = 'openshift-machine-api'
const dayMs = 24 * 3_600_000

function aCluster({ withTokens = true }: { readonly withTokens?: boolean } = {}) {
  const cluster = new FakeCluster()
  const { cache, kube, clock, events } = cluster
  const host = { value: '10.0.0.1' }
  let byte = 0
  const ports = { cache, kube, clock, events, log: silentLog }
  cluster.attach(serverCertificateController({ ...ports, names: () => [host.value] }))
  cluster.attach(
    userDataController({
      ...ports,
      endpoint: () => ({ endpoint: `${host.value}:22623`, names: [host.value] }),
      userDataNamespace,
      withTokens,
      randomBytes: (count) => Buffer.alloc(count, ++byte),
    }),
  )
  cluster.put(MachineConfigPool, aPool('worker'))
  const start = async () => {
    cluster.deliver()
    await cluster.reconcile('server-certificates', 'machine-config-server')
    await cluster.settle()
  }
  const bundle = () =>
    cluster.read(ConfigMap, { name: 'machine-config-server-ca', namespace }).data?.[caBundleKey] ?? ''
  const secret = (name: string) => cluster.read(Secret, { name, namespace: userDataNamespace })
  const text = (name: string) => userDataOf(secret(name)) ?? ''
  const updatesOf = (name: string) =>
    cluster.writes.filter((write) => write.kind === 'Secret' && write.verb === 'update' && write.name === name).length
  const tokens = () => cluster.all(Secret).filter(isTokenSecret)
  return { cluster, host, start, bundle, secret, text, updatesOf, tokens }
}

const stub = (version = '3.2.0', authorities: readonly unknown[] = [{ source: 'data:,old' }]) =>
  JSON.stringify({
    ignition: {
      version,
      config: { [version.startsWith('2') ? 'append' : 'merge']: [{ source: 'https://10.0.0.1:22623/config/worker' }] },
      security: { tls: { certificateAuthorities: authorities } },
    },
  })

const userDataSecret = (name: string, content: string, annotations = {}): Secret =>
  withUserData({ metadata: { name, namespace: userDataNamespace, annotations }, type: 'Opaque' }, content)

const trusts = (pointer: string, bundle: string) => pointer.includes(Buffer.from(bundle).toString('base64'))

describe('userDataController, user data that others wrote', () => {
  it('has the present authority after the first run, and again after a forced rotation', async () => {
    const { cluster, start, bundle, text, updatesOf } = aCluster()
    cluster.put(Secret, userDataSecret('worker-user-data', stub()))
    await start()
    expect([updatesOf('worker-user-data'), trusts(text('worker-user-data'), bundle())]).toEqual([1, true])
    const ca = { name: 'machine-config-server-ca', namespace }
    const past = { [certificateAnnotation.notAfter]: '2025-01-01T00:00:00Z' }
    cluster.change(Secret, ca, (found) => ({
      ...found,
      metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, ...past } },
    }))
    cluster.nowMs += dayMs
    await start()
    expect([updatesOf('worker-user-data'), trusts(text('worker-user-data'), bundle())]).toEqual([2, true])
    await cluster.advance(dayMs)
    expect(updatesOf('worker-user-data')).toBe(2)
  })

  it('is not touched when only the host of the serving certificate changes', async () => {
    const { cluster, host, start, updatesOf } = aCluster()
    cluster.put(Secret, userDataSecret('worker-user-data', stub()))
    await start()
    host.value = '10.0.0.2'
    await start()
    expect(updatesOf('worker-user-data')).toBe(1)
    const writes = cluster.writes.filter(({ name }) => name === 'machine-config-server-tls')
    expect(writes.map(({ verb }) => verb)).toEqual(['create', 'update'])
  })

  it.each<readonly [string, string, RegExp | undefined]>([
    ['that is not JSON', '#cloud-config\npassword: hunter2\n', undefined],
    ['that is a list', '[]', undefined],
    [
      'with two authorities',
      stub('3.2.0', [{ source: 'a' }, { source: 'b' }]),
      /UserDataNotUpdated additional CAs detected/,
    ],
    ['without an authority', stub('3.2.0', []), /UserDataNotUpdated found no entry/],
  ])('%s stays as it is', async (_what, content, told) => {
    const { cluster, start, text, updatesOf } = aCluster()
    cluster.put(Secret, userDataSecret('worker-user-data', content))
    await start()
    expect([updatesOf('worker-user-data'), text('worker-user-data')]).toEqual([0, content])
    const about = cluster.told.filter((line) => line.startsWith('worker-user-data'))
    if (told) expect(about[0]).toMatch(told)
    else expect(about).toEqual([])
    expect(cluster.told.join()).not.toContain('hunter2')
  })

  it('of specification 2 keeps its version, unless its Secret asks for the upgrade', async () => {
    const { cluster, start, bundle, text, secret, updatesOf } = aCluster()
    cluster.put(Secret, userDataSecret('old-user-data', stub('2.2.0')))
    cluster.put(Secret, userDataSecret('new-user-data', stub('2.2.0'), { [upgradeStubAnnotation]: '' }))
    await start()
    expect(JSON.parse(text('old-user-data')).ignition.version).toBe('2.2.0')
    const { ignition } = JSON.parse(text('new-user-data'))
    expect([ignition.version, ignition.config.merge[0].source]).toEqual([
      '3.5.0',
      'https://10.0.0.1:22623/config/worker',
    ])
    expect([trusts(text('old-user-data'), bundle()), trusts(text('new-user-data'), bundle())]).toEqual([true, true])
    expect(secret('new-user-data').metadata.annotations).toMatchObject({
      'machineconfiguration.openshift.io/stub-ignition-upgraded-to': '3.5.0',
      'machineconfiguration.openshift.io/stub-ignition-upgraded-at': '2026-01-01T00:00:00Z',
    })
    await cluster.advance(2 * dayMs)
    expect([updatesOf('old-user-data'), updatesOf('new-user-data')]).toEqual([1, 1])
  })

  it('in another namespace, or managed by somebody else, is none of ours', async () => {
    const { cluster, start } = aCluster()
    const elsewhere = cluster.put(Secret, {
      ...userDataSecret('worker-user-data', stub()),
      metadata: { name: 'worker-user-data', namespace: 'default' },
    })
    await start()
    expect(cluster.read(Secret, { name: 'worker-user-data', namespace: 'default' })).toEqual(elsewhere)
  })
})

describe('userDataController, managed user data', () => {
  const name = 'worker-user-data-managed'

  it('is written for every pool, with a token whose hash alone is stored', async () => {
    const { cluster, start, bundle, text, secret, tokens } = aCluster()
    cluster.put(MachineConfigPool, aPool('infra'))
    await start()
    const pool = cluster.read(MachineConfigPool, { name: 'worker' })
    expect(secret(name)).toMatchObject({
      type: 'Opaque',
      metadata: {
        labels: { 'machineconfiguration.openshift.io/managed-ca-bundle-derived-from-configmap': '' },
        ownerReferences: [{ kind: 'MachineConfigPool', name: 'worker', uid: pool.metadata.uid }],
      },
      data: { disableTemplating: Buffer.from('true\n').toString('base64') },
    })
    const shown = tokenInPointer(text(name)) ?? ''
    const records = tokens().map((found) => secretToToken(found))
    expect(records.map((read) => read.kind === 'token' && read.record.pool).sort()).toEqual(['infra', 'worker'])
    expect(records.some((read) => read.kind === 'token' && isTokenOf(shown, read.record.hash))).toBe(true)
    expect(JSON.stringify(tokens())).not.toContain(Buffer.from(shown).toString('base64'))
    expect([trusts(text(name), bundle()), text(name).includes('https://10.0.0.1:22623/config/worker')]).toEqual([
      true,
      true,
    ])
    expect(text('infra-user-data-managed')).toContain('/config/infra')
    const writes = cluster.writes.length
    await cluster.advance(dayMs)
    expect(cluster.writes.length).toBe(writes)
  })

  it('without tokens is the pointer of the original', async () => {
    const { start, text, tokens } = aCluster({ withTokens: false })
    await start()
    expect([text(name).includes('httpHeaders'), tokens()]).toEqual([false, []])
  })

  it('is overwritten when it drifts, and comes back when it is deleted', async () => {
    const { cluster, start, text, secret } = aCluster()
    await start()
    const before = text(name)
    cluster.put(Secret, withUserData(secret(name), `${before} `))
    await cluster.settle()
    expect(text(name)).toBe(before)
    cluster.change(Secret, { name, namespace: userDataNamespace }, (found) => ({
      ...found,
      metadata: { ...found.metadata, labels: { mine: '1' }, ownerReferences: [] },
    }))
    await cluster.settle()
    expect([secret(name).metadata.labels?.mine, secret(name).metadata.ownerReferences?.length]).toEqual(['1', 1])
    cluster.nowMs += 2 * 3_600_000
    cluster.remove(Secret, { name, namespace: userDataNamespace })
    await cluster.settle()
    expect(tokenInPointer(text(name))).toBeDefined()
    expect(tokenInPointer(text(name))).not.toBe(tokenInPointer(before))
  })

  it('gets a new token at half of its life, and the old one stays valid for the other half', async () => {
    const { cluster, start, text, tokens } = aCluster()
    await start()
    const before = tokenInPointer(text(name)) ?? ''
    await cluster.advance(userDataTokenLifetimeMs / 2 + dayMs)
    const after = tokenInPointer(text(name)) ?? ''
    expect(after).not.toBe(before)
    const valid = tokens().filter((found) => {
      const read = secretToToken(found)
      return read.kind === 'token' && (read.record.expiresAt?.getTime() ?? 0) > cluster.nowMs + dayMs
    })
    expect(valid).toHaveLength(2)
  })

  it('gets a new token when somebody revokes its token', async () => {
    const { cluster, start, text, tokens } = aCluster()
    await start()
    const before = tokenInPointer(text(name))
    cluster.remove(Secret, { name: tokens()[0]?.metadata.name ?? '', namespace })
    await cluster.settle()
    expect([tokens().length, tokenInPointer(text(name)) === before]).toEqual([1, false])
  })

  it('leaves no trail of tokens when it cannot be written, and ends with one that works', async () => {
    const { cluster, start, text, tokens } = aCluster()
    cluster.fault = ({ name: found, verb }) => (found === name && verb === 'create' ? new Error('away') : undefined)
    await expect(start()).rejects.toThrow('away')
    for (let attempt = 0; attempt < 5; attempt++) {
      cluster.nowMs += 61_000
      await expect(cluster.reconcile('user-data', 'pool/worker')).rejects.toThrow('away')
    }
    expect(tokens()).toHaveLength(1)
    cluster.fault = undefined
    cluster.nowMs += 61_000
    await cluster.reconcile('user-data', 'pool/worker')
    const read = secretToToken(tokens()[0] ?? { metadata: {} })
    expect(read.kind === 'token' && isTokenOf(tokenInPointer(text(name)) ?? '', read.record.hash)).toBe(true)
  })
})
