import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  V1MicroTime,
  Watch,
} from '@kubernetes/client-node'
import { suite, until, up } from './harness.ts'

/** Proof 5: the official JavaScript client lists, watches, patches and elects leaders against `mco up`. */
const cluster = await up()
const config = new KubeConfig()
config.loadFromFile(cluster.kubeconfig)
const core = config.makeApiClient(CoreV1Api)
const custom = config.makeApiClient(CustomObjectsApi)
const coordination = config.makeApiClient(CoordinationV1Api)
const group = { group: 'machineconfiguration.openshift.io', version: 'v1' }
const namespace = 'default'

await suite('official client', {
  'lists nodes and pages through config maps': async () => {
    assert.ok((await core.listNode()).items.length >= 2)
    for (let index = 0; index < 12; index += 1)
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: `page-${index}` } } })
    const names = new Set<string>()
    let next: string | undefined
    do {
      const page = await core.listNamespacedConfigMap({ namespace, limit: 5, ...(next ? { _continue: next } : {}) })
      for (const item of page.items) names.add(item.metadata?.name ?? '')
      next = page.metadata?._continue
    } while (next)
    assert.ok(names.size >= 12)
  },
  'watches from a resourceVersion and sees add, modify, delete in order': async () => {
    const start = (await core.listNamespacedConfigMap({ namespace })).metadata?.resourceVersion ?? ''
    const seen: string[] = []
    const request = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { resourceVersion: start, fieldSelector: 'metadata.name=watched' },
      (phase: string) => seen.push(phase),
      () => seen.push('closed'),
    )
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'watched' } } })
    await core.patchNamespacedConfigMap(
      { namespace, name: 'watched', body: { data: { a: '1' } } },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    )
    await core.deleteNamespacedConfigMap({ namespace, name: 'watched' })
    await until(() => seen.length >= 3, 'three watch events')
    request.abort()
    assert.deepEqual(seen.slice(0, 3), ['ADDED', 'MODIFIED', 'DELETED'])
  },
  'an informer follows a collection': async () => {
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace }),
    )
    const added = new Set<string>()
    informer.on('add', (object) => added.add(object.metadata?.name ?? ''))
    await informer.start()
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'informed' } } })
    await until(() => added.has('informed'), 'the informer to see the new object')
    await informer.stop()
  },
  'patches with every content type': async () => {
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'patched' }, data: { keep: '1' } } })
    const patch = (body: object, strategy: (typeof PatchStrategy)[keyof typeof PatchStrategy]) =>
      core.patchNamespacedConfigMap(
        {
          namespace,
          name: 'patched',
          body,
          ...(strategy === PatchStrategy.ServerSideApply ? { fieldManager: 'proof', force: true } : {}),
        },
        setHeaderOptions('Content-Type', strategy),
      )
    await patch([{ op: 'add', path: '/data/json', value: '1' }], PatchStrategy.JsonPatch)
    await patch({ data: { merge: '1' } }, PatchStrategy.MergePatch)
    await patch({ data: { strategic: '1' } }, PatchStrategy.StrategicMergePatch)
    const last = await patch(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'patched' }, data: { applied: '1' } },
      PatchStrategy.ServerSideApply,
    )
    assert.deepEqual(last.data, { keep: '1', json: '1', merge: '1', strategic: '1', applied: '1' })
    assert.ok(last.metadata?.managedFields?.some((entry) => entry.manager === 'proof' && entry.operation === 'Apply'))
  },
  'works with custom resources and their status': async () => {
    const pool: { spec: { paused?: boolean } } = await custom.getClusterCustomObject({
      ...group,
      plural: 'machineconfigpools',
      name: 'worker',
    })
    assert.equal(pool.spec.paused ?? false, false)
    const list: { items: unknown[] } = await custom.listClusterCustomObject({
      ...group,
      plural: 'machineconfigs',
      labelSelector: 'machineconfiguration.openshift.io/role=worker',
    })
    assert.ok(list.items.length > 0)
  },
  'an update with an old resourceVersion is a conflict': async () => {
    const first = await core.readNamespacedConfigMap({ namespace, name: 'patched' })
    await core.replaceNamespacedConfigMap({ namespace, name: 'patched', body: { ...first, data: { a: '1' } } })
    const refused = await core
      .replaceNamespacedConfigMap({ namespace, name: 'patched', body: { ...first, data: { a: '2' } } })
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    assert.ok(refused instanceof ApiException && refused.code === 409)
    assert.match(String(refused.body), /the object has been modified/)
  },
  'leader election: of many contenders exactly one holds the lease at a time': async () => {
    const lease = { namespace, name: 'leader' }
    await coordination.createNamespacedLease({
      namespace,
      body: { metadata: { name: lease.name }, spec: { leaseDurationSeconds: 1 } },
    })
    const acquire = async (holder: string): Promise<boolean> => {
      const current = await coordination.readNamespacedLease(lease)
      if (current.spec?.holderIdentity) return current.spec.holderIdentity === holder
      const next = { ...current, spec: { ...current.spec, holderIdentity: holder, renewTime: new V1MicroTime() } }
      return coordination.replaceNamespacedLease({ ...lease, body: next }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ApiException && error.code === 409) return false
          throw error
        },
      )
    }
    for (let round = 0; round < 5; round += 1) {
      const won = await Promise.all(Array.from({ length: 8 }, () => acquire(randomUUID())))
      assert.equal(won.filter(Boolean).length, 1)
      const held = await coordination.readNamespacedLease(lease)
      const { holderIdentity: _released, ...spec } = held.spec ?? {}
      await coordination.replaceNamespacedLease({ ...lease, body: { ...held, spec } })
    }
  },
  'an unknown object is a NotFound Status': async () => {
    const error = await core.readNode({ name: 'nowhere' }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ApiException && error.code === 404)
    assert.match(String(error.body), /nodes \\?"nowhere\\?" not found/)
  },
})
await cluster.stop()
