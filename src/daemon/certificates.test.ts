import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { defaultBundlePolicies } from '../certificates/bundles/bundleCatalogue.ts'
import { directoryHost } from '../host/directoryHost.ts'
import { silentLog } from '../kube/log.ts'
import { deliverCertificates } from './certificates.ts'
import type { ClusterCertificates } from './clusterCertificates.ts'
import { newNodeMemory } from './nodeContext.ts'

const stamp = 'machineconfiguration.openshift.io/lastSyncedControllerConfigResourceVersion'
const base64 = (text: string): string => Buffer.from(text).toString('base64')
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mco-certificates-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** A node with this disk, in a pool that may be paused. */
function aNode({ paused = false } = {}) {
  const annotations: Record<string, string | null> = {}
  const told: string[] = []
  const counted: [string, boolean][] = []
  const state: { certificates: ClusterCertificates | undefined } = { certificates: undefined }
  const pool = { metadata: { name: 'worker' }, spec: { paused } } as MachineConfigPool
  const host = directoryHost(root)
  const ports = {
    nodeName: 'w-1',
    host,
    log: silentLog,
    cluster: { certificates: () => state.certificates, poolOf: () => ({ name: 'worker', pool }) },
    report: {
      node: () => ({ metadata: { name: 'w-1', annotations } }),
      annotateLater: (changes: Record<string, string | null>) => void Object.assign(annotations, changes),
      poolEvent: (_type: string, reason: string, message: string) => void told.push(`${reason}: ${message}`),
    },
    metrics: { certificateDelivered: (bundle: string, isPaused: boolean) => void counted.push([bundle, isPaused]) },
  }
  // Only what the delivery reaches the world through.
  const context = { ports, memory: newNodeMemory() } as unknown as Parameters<typeof deliverCertificates>[0]
  return {
    annotations,
    told,
    counted,
    deliver: (resourceVersion: string, spec: ClusterCertificates['spec'], policies = defaultBundlePolicies) => {
      state.certificates = { resourceVersion, spec, policies }
      return deliverCertificates(context)
    },
  }
}

const on = (path: string): string => join(root, path)
const text = (path: string): Promise<string> => readFile(on(path), 'utf8')
const exists = (path: string): Promise<boolean> =>
  stat(on(path)).then(
    () => true,
    () => false,
  )
const registry = (file: string, content = file) => ({ file, data: base64(content) })

describe('deliverCertificates', () => {
  it('writes what the cluster says with a newline at the end, and stamps the node', async () => {
    const node = aNode()
    await node.deliver('7', { kubeAPIServerServingCAData: base64('ca'), cloudProviderCAData: base64('cloud\n') })
    expect(await text('etc/kubernetes/kubelet-ca.crt')).toBe('ca\n')
    expect(await text('etc/kubernetes/static-pod-resources/configmaps/cloud-config/ca-bundle.pem')).toBe('cloud\n')
    expect((await stat(on('etc/kubernetes/kubelet-ca.crt'))).mode & 0o777).toBe(0o644)
    expect([node.annotations[stamp], node.told]).toEqual(['7', []])
    expect(node.counted).toEqual([
      ['kubeletClientCa', false],
      ['cloudProviderCa', false],
    ])
  })

  it('keeps the mode of a file, and writes only what differs', async () => {
    await mkdir(on('etc/kubernetes'), { recursive: true })
    await writeFile(on('etc/kubernetes/kubelet-ca.crt'), 'old\n', { mode: 0o600 })
    const node = aNode()
    await node.deliver('7', { kubeAPIServerServingCAData: base64('new') })
    const first = await stat(on('etc/kubernetes/kubelet-ca.crt'))
    expect([await text('etc/kubernetes/kubelet-ca.crt'), first.mode & 0o777]).toEqual(['new\n', 0o600])
    await node.deliver('8', { kubeAPIServerServingCAData: base64('new') })
    expect((await stat(on('etc/kubernetes/kubelet-ca.crt'))).ino).toBe(first.ino)
    expect([node.annotations[stamp], node.counted.length]).toEqual(['8', 1])
  })

  it('tells the pool when it is paused', async () => {
    const node = aNode({ paused: true })
    await node.deliver('7', { kubeAPIServerServingCAData: base64('ca') })
    expect(node.counted).toEqual([['kubeletClientCa', true]])
    expect(node.told).toEqual([
      'CertificateDelivered: node w-1: /etc/kubernetes/kubelet-ca.crt has the new bundle kubeletClientCa (0 certificates), written past the pause of this pool because the policy of the bundle is Deliver',
    ])
  })

  it('leaves a held bundle, and one that became empty, as they are', async () => {
    const node = aNode()
    await node.deliver('7', { kubeAPIServerServingCAData: base64('ca') })
    await node.deliver('8', { kubeAPIServerServingCAData: '' })
    const held = { ...defaultBundlePolicies, kubeletClientCa: 'Hold' as const }
    await node.deliver('9', { kubeAPIServerServingCAData: base64('other') }, held)
    expect(await text('etc/kubernetes/kubelet-ca.crt')).toBe('ca\n')
  })

  it('takes away directories of registries that it made, also with a port, and nothing of others', async () => {
    await mkdir(on('etc/docker/certs.d/by-hand'), { recursive: true })
    await writeFile(on('etc/docker/certs.d/by-hand/ca.crt'), 'x')
    const node = aNode()
    const all = ['r..5000', 'gone', 'shared'].map((file) => registry(file))
    await node.deliver('7', { imageRegistryBundleData: all, imageRegistryBundleUserData: [registry('../evil')] })
    expect(await text('etc/docker/certs.d/r:5000/ca.crt')).toBe('r..5000\n')
    const before = await stat(on('etc/docker/certs.d/r:5000/ca.crt'))
    await writeFile(on('etc/docker/certs.d/shared/client.key'), 'of a person')
    await node.deliver('8', { imageRegistryBundleData: [registry('r..5000')] })
    expect((await stat(on('etc/docker/certs.d/r:5000/ca.crt'))).ino).toBe(before.ino)
    const left = ['by-hand/ca.crt', 'gone', 'shared/ca.crt', 'shared/client.key', ':/evil']
    expect(await Promise.all(left.map((path) => exists(`etc/docker/certs.d/${path}`)))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ])
  })

  it('says what stands in the way, and writes it when that is gone', async () => {
    await mkdir(on('etc/kubernetes/kubelet-ca.crt'), { recursive: true })
    const node = aNode()
    const spec = { kubeAPIServerServingCAData: base64('ca') }
    await expect(node.deliver('7', spec)).rejects.toThrow(
      '/etc/kubernetes/kubelet-ca.crt is a directory, expected a file',
    )
    expect(node.annotations[stamp]).toBeUndefined()
    await rm(on('etc/kubernetes/kubelet-ca.crt'), { recursive: true })
    await node.deliver('7', spec)
    expect([await text('etc/kubernetes/kubelet-ca.crt'), node.annotations[stamp]]).toEqual(['ca\n', '7'])
  })
})
