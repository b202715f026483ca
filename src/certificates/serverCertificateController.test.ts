import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { ConfigMap, Secret } from '../api/core.ts'
import { caBundleKey, certificateAnnotation, operatorNamespace } from '../api/names.ts'
import { silentLog } from '../kube/log.ts'
import { readBundle } from './authorityBundle.ts'
import { pairOf } from './certificateSecret.ts'
import { serverCertificateController } from './serverCertificateController.ts'

const ca = { name: 'machine-config-server-ca', namespace: operatorNamespace }
const tls = { name: 'machine-config-server-tls', namespace: operatorNamespace }
const dayMs = 24 * 3_600_000

function aCluster() {
  const cluster = new FakeCluster()
  const names = { value: ['api-int.x', '10.0.0.5'] as readonly string[] }
  const measured: string[] = []
  const { cache, kube, clock, events } = cluster
  cluster.attach(
    serverCertificateController({
      cache,
      kube,
      clock,
      events,
      log: silentLog,
      names: () => names.value,
      metrics: {
        notAfter: (certificate, at) => void measured.push(`${certificate} until ${at.getUTCFullYear()}`),
        rotated: (certificate, reason) => void measured.push(`${certificate} ${reason}`),
        rotationFailed: () => void measured.push('failed'),
      },
    }),
  )
  const secret = (key: typeof ca) => cluster.read(Secret, key)
  const bundle = () => cluster.read(ConfigMap, ca).data?.[caBundleKey] ?? ''
  const reconcile = async () => {
    cluster.deliver()
    await cluster.reconcile('server-certificates', 'machine-config-server')
    cluster.deliver()
  }
  const isServable = () => {
    const serving = new X509Certificate(pairOf(secret(tls))?.certificatePem ?? '')
    return readBundle(bundle()).some(({ pem }) => serving.verify(new X509Certificate(pem).publicKey))
  }
  return { cluster, names, measured, secret, bundle, reconcile, isServable }
}

const edit = (secret: Secret, annotations: Readonly<Record<string, string>>): Secret => ({
  ...secret,
  metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, ...annotations } },
})

describe('serverCertificateController', () => {
  it('makes authority, bundle and serving certificate, and nothing the second time', async () => {
    const { cluster, secret, bundle, reconcile, measured, isServable } = aCluster()
    await reconcile()
    expect(cluster.writes.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`)).toEqual([
      `create Secret ${ca.name}`,
      `create ConfigMap ${ca.name}`,
      `create Secret ${tls.name}`,
    ])
    expect(secret(ca)).toMatchObject({
      type: 'kubernetes.io/tls',
      metadata: {
        annotations: {
          'auth.openshift.io/certificate-not-before': '2026-01-01T00:00:00Z',
          'auth.openshift.io/certificate-not-after': '2035-12-30T00:00:00Z',
          'auth.openshift.io/certificate-issuer': `${operatorNamespace}_machine-config-server-ca@1767225600`,
          'certificates.openshift.io/refresh-period': '70080h0m0s',
        },
      },
    })
    expect(secret(tls).metadata.annotations?.[certificateAnnotation.hostnames]).toBe('10.0.0.5,api-int.x')
    const serving = new X509Certificate(pairOf(secret(tls))?.certificatePem ?? '')
    expect([
      isServable(),
      serving.checkHost('api-int.x'),
      serving.checkIP('10.0.0.5'),
      readBundle(bundle()).length,
    ]).toEqual([true, 'api-int.x', '10.0.0.5', 1])
    expect(measured).toContain('ca Missing')
    const writes = cluster.writes.length
    await reconcile()
    expect(cluster.writes.length).toBe(writes)
    expect(measured.slice(-2)).toEqual(['ca until 2035', 'serving until 2035'])
    expect(JSON.stringify(cluster.told)).not.toContain('PRIVATE')
  })

  it('a forced rotation adds the new authority to the bundle and leaves the serving certificate valid', async () => {
    const { cluster, secret, bundle, reconcile, isServable } = aCluster()
    await reconcile()
    const before = secret(tls).data
    cluster.nowMs += 30 * dayMs
    cluster.put(Secret, edit(secret(ca), { [certificateAnnotation.notAfter]: '2026-01-02T00:00:00Z' }))
    await reconcile()
    expect([readBundle(bundle()).length, isServable(), secret(tls).data]).toEqual([2, true, before])
    await reconcile()
    expect(readBundle(bundle()).length).toBe(2)
  })

  it('over thirty years every client that has the bundle of half a year ago can connect', async () => {
    const { cluster, secret, bundle, reconcile } = aCluster()
    const bundles: string[] = []
    for (let day = 0; day < 30 * 365; day += 60) {
      await reconcile()
      bundles.push(bundle())
      const serving = new X509Certificate(pairOf(secret(tls))?.certificatePem ?? '')
      const old = readBundle(bundles.at(-4) ?? bundles[0] ?? '')
      expect(old.some(({ pem }) => serving.verify(new X509Certificate(pem).publicKey))).toBe(true)
      expect(new Date(serving.validTo).getTime()).toBeGreaterThan(cluster.nowMs)
      cluster.nowMs += 60 * dayMs
    }
    expect(new Set(bundles).size).toBeGreaterThan(4)
  })

  it('issues a new certificate when the host changes, and waits while there is none', async () => {
    const { cluster, names, secret, reconcile } = aCluster()
    names.value = []
    await reconcile()
    expect(cluster.all(Secret).map(({ metadata }) => metadata.name)).toEqual([ca.name])
    names.value = ['10.0.0.1']
    await reconcile()
    names.value = ['10.0.0.2']
    await reconcile()
    const serving = new X509Certificate(pairOf(secret(tls))?.certificatePem ?? '')
    expect([serving.checkIP('10.0.0.2'), serving.checkIP('10.0.0.1')]).toEqual(['10.0.0.2', undefined])
  })

  it('makes a TLS Secret of another type again with the same certificate', async () => {
    const { cluster, secret, reconcile } = aCluster()
    await reconcile()
    const { data } = cluster.put(Secret, { ...secret(tls), type: 'Opaque' })
    await reconcile()
    expect([secret(tls).type, secret(tls).data]).toEqual(['kubernetes.io/tls', data])
    expect(secret(tls).metadata.annotations?.[certificateAnnotation.hostnames]).toBe('10.0.0.5,api-int.x')
  })

  it.each([
    ['the authority was damaged', ca],
    ['the serving certificate was damaged', tls],
  ])('replaces what cannot be used: %s', async (_what, key) => {
    const { cluster, secret, reconcile, isServable } = aCluster()
    await reconcile()
    cluster.put(Secret, {
      ...secret(key),
      data: { ...secret(key).data, 'tls.key': Buffer.from('x').toString('base64') },
    })
    await reconcile()
    expect([pairOf(secret(key)) !== undefined, isServable()]).toEqual([true, true])
  })

  it('never overwrites what another controller wrote in between', async () => {
    const { cluster, secret, reconcile, measured } = aCluster()
    await reconcile()
    cluster.put(Secret, edit(secret(ca), { [certificateAnnotation.notAfter]: '2025-01-01T00:00:00Z' }))
    cluster.deliver()
    const theirs = cluster.put(Secret, edit(secret(ca), { [certificateAnnotation.notAfter]: '2035-01-01T00:00:00Z' }))
    await expect(cluster.reconcile('server-certificates', 'machine-config-server')).rejects.toThrow('Conflict')
    expect([secret(ca), measured.at(-1)]).toEqual([theirs, 'failed'])
    const writes = cluster.writes.length
    await reconcile()
    expect(cluster.writes.length).toBe(writes)
  })

  it('says on the bundle that a rotation fails, once, until it succeeds', async () => {
    const { cluster, secret, bundle, reconcile } = aCluster()
    await reconcile()
    const fault = () => cluster.read(ConfigMap, ca).metadata.annotations?.[certificateAnnotation.rotationFault]
    cluster.put(Secret, edit(secret(ca), { [certificateAnnotation.notAfter]: '2025-01-01T00:00:00Z' }))
    let attempts = 0
    cluster.fault = ({ kind }) =>
      kind === 'Secret' ? new Error(`secrets is forbidden, request ${++attempts}`) : undefined
    for (let pass = 0; pass < 3; pass++) await expect(reconcile()).rejects.toThrow('forbidden')
    cluster.deliver()
    expect([attempts, fault()]).toEqual([3, 'secrets is forbidden, request 1'])
    cluster.fault = undefined
    await reconcile()
    expect([fault(), readBundle(bundle()).length]).toEqual([undefined, 2])
  })
})
