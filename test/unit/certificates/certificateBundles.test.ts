import { afterEach, expect, it } from 'vitest'
import { ControllerConfig } from '../../../src/api/controllerConfig.ts'
import { ConfigMap } from '../../../src/api/core.ts'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { operatorNamespace } from '../../../src/api/names.ts'
import { readBundlePolicies } from '../../../src/certificates/bundles/bundleCatalogue.ts'
import { readBundleState } from '../../../src/certificates/bundles/bundleState.ts'
import { certificateBundleController } from '../../../src/certificates/bundles/certificateBundleController.ts'
import { bundleSettingsName } from '../../../src/certificates/bundles/parseBundleSettings.ts'
import { createAuthority } from '../../../src/certificates/issueCertificate.ts'
import { inProcessTransport } from '../../../src/embedded/inProcessTransport.ts'
import { seedCluster } from '../../../src/embedded/seed.ts'
import { startApiServer } from '../../../src/embedded/server/start.ts'
import { kubeClient } from '../../../src/kube/client.ts'
import { systemClock } from '../../../src/kube/clock.ts'
import { createInformers } from '../../../src/kube/informers.ts'
import { silentLog } from '../../../src/kube/log.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

const name = 'machine-config-controller'
const held = { name: '01-worker-certificates' }
const source = { name: 'extension-apiserver-authentication', namespace: 'kube-system' }

/** A seeded cluster whose controller passes when the test says so, over a cache that has everything. */
async function aCluster() {
  const server = await startApiServer({ dataDir: ':memory:' })
  const kube = kubeClient(inProcessTransport(server.handle))
  await seedCluster(kube, { version: '1.0.0', hash: 'a'.repeat(40) }, [], systemClock.now(), server.caPem)
  const told: string[] = []
  const stop = new AbortController()
  endings.push(() => server.close())
  const ports = { kube, clock: systemClock, random: Math.random, log: silentLog }
  return {
    kube,
    told,
    caPem: server.caPem,
    config: () => kube.get(ControllerConfig, { name }),
    /** One pass with fresh caches. */
    async pass() {
      const informers = createInformers({ ...ports, signal: stop.signal })
      for (const kind of [ControllerConfig, ConfigMap, MachineConfig, MachineConfigPool])
        informers.subscribe(kind, () => undefined)
      await informers.synced(stop.signal)
      const events = {
        event: (_object: unknown, _type: string, reason: string, message: string) =>
          void told.push(`${reason} ${message}`),
      }
      const controller = certificateBundleController({ ...ports, cache: informers.cache, events, hash: 'b'.repeat(40) })
      await controller.reconcile(name, stop.signal)
    },
    setPolicy: (policy: string, create: boolean) => {
      const metadata = { name: bundleSettingsName, namespace: operatorNamespace }
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { kubeletClientCa: `policy: ${policy}` } }
      return create ? kube.create(ConfigMap, object) : kube.update(ConfigMap, object)
    },
  }
}

it('the bundle controller lists certificates, acknowledges its own change only, and then writes nothing', async () => {
  const { kube, pass, config, told } = await aCluster()
  await pass()
  const first = await config()
  expect(first.status?.controllerCertificates?.map(({ bundleFile, subject }) => [bundleFile, subject])).toEqual([
    ['KubeAPIServerServingCAData', 'CN=mco-cluster'],
  ])
  expect(readBundleState(first.metadata.annotations).kubeletClientCa?.certificates).toBe(1)
  await pass()
  expect((await config()).metadata.resourceVersion).toBe(first.metadata.resourceVersion)

  const { certificatePem } = await createAuthority('next', new Date())
  const body = { data: { 'client-ca-file': certificatePem } }
  await kube.patch(ConfigMap, source, { type: 'merge', body })
  await pass()
  const rotated = await config()
  expect(rotated.status?.observedGeneration).toBe(rotated.metadata.generation)
  expect(told).toEqual([
    expect.stringMatching(/^CertificateBundleChanged bundle kubeletClientCa: new: CN=next .*gone: CN=mco/),
  ])

  await kube.patch(ControllerConfig, { name }, { type: 'merge', body: { spec: { clusterDNSIP: '10.0.0.10' } } })
  await pass()
  const edited = await config()
  expect(edited.status?.observedGeneration).toBe((edited.metadata.generation ?? 0) - 1)
})

it('the bundle controller keeps the config of held certificates as long as they are held', async () => {
  const { kube, pass, config, setPolicy, caPem } = await aCluster()
  await pass()
  expect((await kube.list(MachineConfig)).items.map(({ metadata }) => metadata.name)).toEqual([
    '00-master',
    '00-worker',
  ])
  await setPolicy('Hold', true)
  await pass()
  const made = await kube.get(MachineConfig, held)
  const contents = `data:text/plain;charset=utf-8;base64,${Buffer.from(caPem).toString('base64')}`
  expect(made.spec?.config).toMatchObject({
    storage: { files: [{ path: '/etc/kubernetes/kubelet-ca.crt', mode: 0o644, contents: { source: contents } }] },
  })
  expect(readBundlePolicies((await config()).metadata.annotations).kubeletClientCa).toBe('Hold')

  const files = { config: { ignition: { version: '3.5.0' } } }
  await kube.update(MachineConfig, { ...made, spec: { ...made.spec, ...files } })
  await pass()
  expect((await kube.get(MachineConfig, held)).spec).toEqual(made.spec)
  await kube.delete(MachineConfig, held)
  await pass()
  const again = await kube.get(MachineConfig, held)
  await pass()
  expect((await kube.get(MachineConfig, held)).metadata.resourceVersion).toBe(again.metadata.resourceVersion)

  await setPolicy('deliver', false)
  await pass()
  expect((await kube.get(MachineConfig, held)).metadata.uid).toBe(again.metadata.uid)
  await setPolicy('Deliver', false)
  await pass()
  await expect(kube.get(MachineConfig, held)).rejects.toThrow('not found')
})
