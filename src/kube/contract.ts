import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigMap, Namespace, Node, Pod } from '../api/core.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { ApiError, isAlreadyExists, isConflict, isNotFound, type KubeApi, type WatchEvent } from './kubeApi.ts'

export interface ContractSubject {
  readonly kube: KubeApi
  close(): Promise<void>
}

/**
 * What every API server must do for every client of it, whatever lies between: run unchanged against the embedded
 * server, in process and over HTTPS, and against a real kube-apiserver. It leaves nothing behind.
 */
export function kubeApiContract(name: string, start: () => Promise<ContractSubject>): void {
  describe(`KubeApi of ${name}`, () => {
    let subject: ContractSubject
    let kube: KubeApi
    const namespace = `contract-${Date.now().toString(36)}`
    const at = (name: string) => ({ name, namespace })

    beforeAll(async () => {
      subject = await start()
      kube = subject.kube
      await kube.create(Namespace, { metadata: { name: namespace } })
    })
    afterAll(async () => {
      await kube.delete(Namespace, { name: namespace })
      await subject.close()
    })

    const configMap = (
      name: string,
      data: Record<string, string> = {},
      labels: Record<string, string> = {},
    ): ConfigMap => ({
      metadata: { name, namespace, labels },
      data,
    })

    test('create gives uid, version and time; get returns the same', async () => {
      const created = await kube.create(ConfigMap, configMap('create', { a: '1' }))
      expect(created).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { a: '1' } })
      expect([created.metadata.uid, created.metadata.resourceVersion, created.metadata.creationTimestamp]).toEqual(
        Array(3).fill(expect.stringMatching(/.+/)),
      )
      expect(await kube.get(ConfigMap, at('create'))).toEqual(created)
    })

    test('create of an existing name is AlreadyExists, get of a missing one NotFound, both by name', async () => {
      await kube.create(ConfigMap, configMap('twice'))
      const [twice, missing] = await Promise.all([
        caught(kube.create(ConfigMap, configMap('twice'))),
        caught(kube.get(ConfigMap, at('missing'))),
      ])
      expect([isAlreadyExists(twice), isNotFound(missing)]).toEqual([true, true])
      expect(missing).toMatchObject({
        message: `get configmaps "${namespace}/missing": configmaps "missing" not found`,
      })
    })

    test('update with an old resourceVersion is a Conflict and changes nothing', async () => {
      const first = await kube.create(ConfigMap, configMap('conflict', { a: '1' }))
      const second = await kube.update(ConfigMap, { ...first, data: { a: '2' } })
      expect(isConflict(await caught(kube.update(ConfigMap, { ...first, data: { a: '3' } })))).toBe(true)
      expect(await kube.get(ConfigMap, at('conflict'))).toEqual(second)
    })

    test('dryRun answers as if, and stores nothing', async () => {
      const answer = await kube.create(ConfigMap, configMap('dry', { a: '1' }), { dryRun: true })
      expect(answer.data).toEqual({ a: '1' })
      expect(isNotFound(await caught(kube.get(ConfigMap, at('dry'))))).toBe(true)
    })

    test('patches of every type change what they name', async () => {
      await kube.create(ConfigMap, configMap('patch', { a: '1', b: '1' }))
      await kube.patch(ConfigMap, at('patch'), { type: 'merge', body: { data: { a: '2', c: '1' } } })
      await kube.patch(ConfigMap, at('patch'), { type: 'json', operations: [{ op: 'remove', path: '/data/b' }] })
      await kube.patch(ConfigMap, at('patch'), { type: 'strategic', body: { metadata: { labels: { x: 'y' } } } })
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'patch' }, data: { d: '1' } }
      const patched = await kube.patch(ConfigMap, at('patch'), { type: 'apply', body }, { fieldManager: 'contract' })
      expect([patched.data, patched.metadata.labels]).toEqual([{ a: '2', c: '1', d: '1' }, { x: 'y' }])
    })

    test('a JSON patch whose test fails is refused and changes nothing', async () => {
      const created = await kube.create(ConfigMap, configMap('guarded', { a: '1' }))
      const operations = [
        { op: 'test', path: '/data/a', value: 'other' },
        { op: 'remove', path: '/data/a' },
      ]
      expect(await caught(kube.patch(ConfigMap, at('guarded'), { type: 'json', operations }))).toBeInstanceOf(ApiError)
      expect(await kube.get(ConfigMap, at('guarded'))).toEqual(created)
    })

    test('apply of a field that another manager owns is a conflict unless forced', async () => {
      const body = (value: string) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'owned' },
        data: { a: value },
      })
      await kube.patch(ConfigMap, at('owned'), { type: 'apply', body: body('1') }, { fieldManager: 'one' })
      const theirs = { type: 'apply', body: body('2') } as const
      const refused = await caught(kube.patch(ConfigMap, at('owned'), theirs, { fieldManager: 'two' }))
      expect(refused).toMatchObject({ status: 409 })
      const forced = await kube.patch(ConfigMap, at('owned'), { ...theirs, force: true }, { fieldManager: 'two' })
      expect(forced.data).toEqual({ a: '2' })
    })

    test('a status is written by updateStatus only', async () => {
      const name = `${namespace}-node`
      const node = await kube.create(Node, { metadata: { name } })
      try {
        await kube.update(Node, { ...node, status: { phase: 'ignored' } })
        const before = await kube.get(Node, { name })
        expect(before.status?.phase).toBeUndefined()
        const after = await kube.updateStatus(Node, {
          ...before,
          spec: { unschedulable: true },
          status: { phase: 'Running' },
        })
        expect([after.status?.phase, after.spec?.unschedulable]).toEqual(['Running', undefined])
      } finally {
        await kube.delete(Node, { name })
      }
    })

    test('delete with a precondition that does not hold is refused', async () => {
      await kube.create(ConfigMap, configMap('kept'))
      const refused = await caught(kube.delete(ConfigMap, at('kept'), { preconditions: { uid: 'other' } }))
      expect(refused).toMatchObject({ status: 409 })
      await kube.delete(ConfigMap, at('kept'))
      expect(isNotFound(await caught(kube.get(ConfigMap, at('kept'))))).toBe(true)
    })

    test('list selects by label and by name, and pages to the end', async () => {
      for (const index of [1, 2, 3]) await kube.create(ConfigMap, configMap(`page-${index}`, {}, { set: 'page' }))
      const selected = { namespace, labelSelector: 'set=page' }
      const names: (string | undefined)[] = []
      for (let next: string | undefined = ''; next !== undefined; ) {
        const page = await listPage(kube, selected, next)
        expect(page.items.length).toBeLessThanOrEqual(2)
        names.push(...page.items.map(({ metadata }) => metadata.name))
        next = page.metadata.continue || undefined
      }
      expect(names).toEqual(['page-1', 'page-2', 'page-3'])
      const byName = await kube.list(ConfigMap, { namespace, fieldSelector: 'metadata.name=page-2' })
      expect(byName.items.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([['ConfigMap', 'page-2']])
    })

    test('watch tells every change after its resourceVersion, in order, of its selection', async () => {
      const { metadata } = await kube.list(ConfigMap, { namespace })
      const created = await kube.create(ConfigMap, configMap('watched', { a: '1' }, { set: 'watch' }))
      await kube.create(ConfigMap, configMap('other'))
      await kube.update(ConfigMap, { ...created, data: { a: '2' } })
      await kube.delete(ConfigMap, at('watched'))
      const options = { namespace, labelSelector: 'set=watch', timeoutSeconds: 60, ...versionOf(metadata) }
      const events = await take(kube, options, (seen) => seen.filter(isChange).length === 3)
      expect(events.filter(isChange).map(({ type, object }) => [type, object.metadata.name, object.data])).toEqual([
        ['ADDED', 'watched', { a: '1' }],
        ['MODIFIED', 'watched', { a: '2' }],
        ['DELETED', 'watched', { a: '2' }],
      ])
    })

    test('watch tells an object that leaves its selection as deleted', async () => {
      const created = await kube.create(ConfigMap, configMap('leaving', {}, { set: 'leave' }))
      await kube.patch(ConfigMap, at('leaving'), { type: 'merge', body: { metadata: { labels: { set: null } } } })
      const options = { namespace, labelSelector: 'set=leave', timeoutSeconds: 60, ...versionOf(created.metadata) }
      const events = await take(kube, options, (seen) => seen.some(isChange))
      expect(events.filter(isChange).map(({ type }) => type)).toEqual(['DELETED'])
    })

    test('watch ends by itself at its timeout, in good order', async () => {
      const events = await take(kube, { namespace, labelSelector: 'set=nothing', timeoutSeconds: 1 }, () => false)
      expect(events.filter(isChange)).toEqual([])
    })

    test('watch with initial events begins with the present state and marks its end', async () => {
      await kube.create(ConfigMap, configMap('initial', {}, { set: 'initial' }))
      const options = { namespace, labelSelector: 'set=initial', timeoutSeconds: 60, sendInitialEvents: true }
      const attempt = await take(kube, options, (seen) => seen.some(isEndMark)).catch((error: unknown) => error)
      // Servers before 1.32, or without the feature, refuse it: a client then lists.
      if (attempt instanceof ApiError) return expect(attempt.status).toBe(422)
      expect(attempt).toMatchObject([
        { type: 'ADDED', object: { metadata: { name: 'initial' } } },
        { type: 'BOOKMARK', object: { metadata: { resourceVersion: expect.stringMatching(/.+/) } } },
      ])
    })

    test('evict removes a pod that no budget protects', async () => {
      const pod: Pod = {
        metadata: { name: 'evicted', namespace },
        spec: { containers: [{ name: 'c', image: 'example.com/c' }] },
      }
      await untilAccepted(() => kube.create(Pod, pod))
      await kube.evict(at('evicted'), { gracePeriodSeconds: 0 })
      expect(isNotFound(await caught(kube.get(Pod, at('evicted'))))).toBe(true)
      expect(isNotFound(await caught(kube.evict(at('evicted'))))).toBe(true)
    })
  })
}

type Change<T extends KubernetesObject> = Extract<WatchEvent<T>, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>

function isChange<T extends KubernetesObject>(event: WatchEvent<T>): event is Change<T> {
  return event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED'
}

function isEndMark(event: WatchEvent<KubernetesObject>): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true'
}

const versionOf = ({ resourceVersion }: { readonly resourceVersion?: string }) =>
  resourceVersion === undefined ? {} : { resourceVersion }

function listPage(kube: KubeApi, selected: { namespace: string; labelSelector: string }, next: string) {
  return kube.list(ConfigMap, { ...selected, limit: 2, ...(next !== '' && { continue: next }) })
}

async function take(
  kube: KubeApi,
  options: Parameters<KubeApi['watch']>[1],
  isEnough: (seen: readonly WatchEvent<ConfigMap>[]) => boolean,
): Promise<readonly WatchEvent<ConfigMap>[]> {
  const seen: WatchEvent<ConfigMap>[] = []
  for await (const event of kube.watch(ConfigMap, options)) {
    seen.push(event)
    if (isEnough(seen)) break
  }
  return seen
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}

/** A real server refuses pods in a new namespace until its default service account exists. */
async function untilAccepted(create: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const error = await caught(create())
    if (error === undefined) return
    if (!(error instanceof ApiError && error.status === 403) || attempt === 50) throw error
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
