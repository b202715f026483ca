import {
  ApiextensionsV1Api,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  makeInformer,
  PolicyV1Api,
  VersionApi,
  Watch,
} from '@kubernetes/client-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApiServer, startApiServer } from '../../../src/embedded/server/start.ts'
import { pod, widget, widgetDefinition } from '../../embedded/apiHarness.ts'

let server: RunningApiServer
const config = new KubeConfig()
beforeAll(async () => {
  server = await startApiServer({ dataDir: ':memory:' })
  config.loadFromString(server.adminKubeconfig)
})
afterAll(() => server.close())

const namespace = 'default'

describe('the official client', () => {
  test('finds a server of version 1.32', async () => {
    expect((await config.makeApiClient(VersionApi).getCode()).minor).toBe('32')
  })

  test('creates, reads, patches, lists and deletes', async () => {
    const core = config.makeApiClient(CoreV1Api)
    await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name: 'a', labels: { app: 'web' } }, data: { x: '1' } },
    })
    const read = await core.readNamespacedConfigMap({ namespace, name: 'a' })
    expect([read.data, read.metadata?.creationTimestamp instanceof Date]).toEqual([{ x: '1' }, true])
    const list = await core.listNamespacedConfigMap({ namespace, labelSelector: 'app=web', limit: 1 })
    expect(list.items.map((item) => item.metadata?.name)).toEqual(['a'])
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: 'a',
      body: { ...read, data: { y: '2' } },
    })
    expect(replaced.data).toEqual({ y: '2' })
    await expect(
      core.replaceNamespacedConfigMap({ namespace, name: 'a', body: { ...read, data: {} } }),
    ).rejects.toMatchObject({ code: 409 })
    expect((await core.deleteNamespacedConfigMap({ namespace, name: 'a' })).status).toBe('Success')
    await expect(core.readNamespacedConfigMap({ namespace, name: 'a' })).rejects.toMatchObject({ code: 404 })
  })

  test('applies any kind that discovery knows', async () => {
    const objects = KubernetesObjectApi.makeApiClient(config)
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
      },
    }
    await objects.create(deployment)
    const change: KubernetesObject & { spec: object } = { ...deployment, spec: { replicas: 4 } }
    const patched: KubernetesObject = await objects.patch(change, undefined, undefined, 'me')
    expect(patched.metadata?.generation).toBe(2)
    const scale = await config.makeApiClient(AppsV1Api).readNamespacedDeploymentScale({ namespace, name: 'web' })
    expect(scale.spec?.replicas).toBe(4)
  })

  test('defines a kind and works with its objects', async () => {
    await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
      body: widgetDefinition({ type: 'object', properties: { size: { type: 'integer' } } }),
    })
    const custom = config.makeApiClient(CustomObjectsApi)
    const where = { group: 'example.com', version: 'v1', namespace, plural: 'widgets' }
    await custom.createNamespacedCustomObject({ ...where, body: widget('w', { size: 1 }) })
    expect(await custom.getNamespacedCustomObject({ ...where, name: 'w' })).toMatchObject({
      spec: { size: 1 },
      metadata: { generation: 1 },
    })
  })

  test('evicts a pod', async () => {
    const core = config.makeApiClient(CoreV1Api)
    await core.createNamespacedPod({ namespace, body: pod('p') })
    await core.createNamespacedPodEviction({ namespace, name: 'p', body: { metadata: { name: 'p', namespace } } })
    await expect(core.readNamespacedPod({ namespace, name: 'p' })).rejects.toMatchObject({ code: 404 })
    expect((await config.makeApiClient(PolicyV1Api).listNamespacedPodDisruptionBudget({ namespace })).items).toEqual([])
  })

  test('watches', async () => {
    const core = config.makeApiClient(CoreV1Api)
    const { promise, abort } = await firstEvents(3)
    await core.createNode({ body: { metadata: { name: 'n1' } } })
    await core.patchNode({ name: 'n1', body: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] })
    await core.deleteNode({ name: 'n1' })
    expect(await promise).toEqual(['ADDED n1', 'MODIFIED n1', 'DELETED n1'])
    abort()
  })

  test('keeps an informer in step', async () => {
    const core = config.makeApiClient(CoreV1Api)
    await core.createNode({ body: { metadata: { name: 'n2' } } })
    const informer = makeInformer(config, '/api/v1/nodes', () => core.listNode())
    const seen: string[] = []
    const second = new Promise<void>((resolve) => {
      informer.on('add', (object) => {
        seen.push(object.metadata?.name ?? '')
        if (seen.length === 2) resolve()
      })
    })
    await informer.start()
    await core.createNode({ body: { metadata: { name: 'n3' } } })
    await second
    expect(seen).toEqual(['n2', 'n3'])
    await informer.stop()
  })
})

async function firstEvents(count: number): Promise<{ promise: Promise<string[]>; abort: () => void }> {
  const seen: string[] = []
  let resolve: (events: string[]) => void = () => undefined
  const promise = new Promise<string[]>((accept) => {
    resolve = accept
  })
  const controller = await new Watch(config).watch(
    '/api/v1/nodes',
    {},
    (type: string, object: { metadata: { name: string } }) => {
      seen.push(`${type} ${object.metadata.name}`)
      if (seen.length === count) resolve(seen)
    },
    () => undefined,
  )
  return { promise, abort: () => controller.abort() }
}
