import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configMap, type Harness, node, paths, pod, startHarness } from '../../../test/embedded/apiHarness.ts'

let api: Harness
beforeEach(async () => {
  api = await startHarness({ historyLimits: { changes: 20, ageMs: 300_000, sizeBytes: 1e9 } })
})
afterEach(async () => {
  await api.close()
  expect(api.faults).toEqual([])
})

const { configMaps, nodes, pods } = paths
const names = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name)
const create = (...all: string[]) => Promise.all(all.map((name) => api.call('POST', configMaps, configMap(name))))
const version = () => api.server.context.database.revision
const touch = (name: string, value: string) =>
  api.call(
    'PATCH',
    `${configMaps}/${name}`,
    { data: { value } },
    { headers: { 'content-type': 'application/merge-patch+json' } },
  )

describe('list', () => {
  test('is in order of namespace and name, with the version of the newest write', async () => {
    await create('c', 'a', 'b')
    const { body } = await api.call('GET', configMaps)
    expect([body.kind, body.apiVersion, names(body)]).toEqual(['ConfigMapList', 'v1', ['a', 'b', 'c']])
    expect(body.metadata).toEqual({ resourceVersion: String(version()) })
  })

  test('spans all namespaces without one in the URL', async () => {
    await create('a')
    await api.call('POST', '/api/v1/namespaces/kube-system/configmaps', configMap('a'))
    const { body } = await api.call('GET', '/api/v1/configmaps')
    expect(body.items.map((item: { metadata: { namespace: string } }) => item.metadata.namespace)).toEqual([
      'default',
      'kube-system',
    ])
  })

  test('comes in pages that all show the state of the first', async () => {
    await create('a', 'b', 'c', 'd', 'e')
    const first = await api.call('GET', `${configMaps}?limit=2`)
    expect([names(first.body), first.body.metadata.remainingItemCount]).toEqual([['a', 'b'], 3])
    await api.call('DELETE', `${configMaps}/c`)
    await create('bb')
    await touch('d', 'changed')
    const second = await api.call('GET', `${configMaps}?limit=2&continue=${first.body.metadata.continue}`)
    expect([names(second.body), second.body.items[1].data, second.body.metadata.resourceVersion]).toEqual([
      ['c', 'd'],
      {},
      first.body.metadata.resourceVersion,
    ])
    const third = await api.call('GET', `${configMaps}?limit=2&continue=${second.body.metadata.continue}`)
    expect([names(third.body), third.body.metadata.continue, third.body.metadata.remainingItemCount]).toEqual([
      ['e'],
      undefined,
      undefined,
    ])
  })

  test('answers 410 with a token to go on when the state of the first page is gone', async () => {
    await create('a', 'b', 'c')
    const first = await api.call('GET', `${configMaps}?limit=1`)
    for (let index = 0; index < 25; index += 1) await touch('a', String(index))
    const late = await api.call('GET', `${configMaps}?limit=1&continue=${first.body.metadata.continue}`)
    expect([late.status, late.body.reason]).toEqual([410, 'Expired'])
    const onward = await api.call('GET', `${configMaps}?limit=5&continue=${late.body.metadata.continue}`)
    expect(names(onward.body)).toEqual(['b', 'c'])
  })

  test('can be asked for one exact past state', async () => {
    await create('a')
    const before = version()
    await create('b')
    expect(
      names((await api.call('GET', `${configMaps}?resourceVersion=${before}&resourceVersionMatch=Exact`)).body),
    ).toEqual(['a'])
    expect(
      names((await api.call('GET', `${configMaps}?resourceVersion=${before}&resourceVersionMatch=NotOlderThan`)).body),
    ).toEqual(['a', 'b'])
    expect(names((await api.call('GET', `${configMaps}?resourceVersion=0`)).body)).toEqual(['a', 'b'])
  })

  test('answers 504 for a version that lies ahead', async () => {
    const { status, body } = await api.call('GET', `${configMaps}?resourceVersion=9999`)
    expect([status, body.reason, body.message]).toEqual([
      504,
      'Timeout',
      `Too large resource version: 9999, current: ${version()}`,
    ])
  })

  test.each([
    ['labelSelector=app%3Dweb', ['a', 'c']],
    ['labelSelector=app%20in%20(web,db)', ['a', 'b', 'c']],
    ['labelSelector=!app', ['d']],
    ['labelSelector=app!%3Dweb', ['b', 'd']],
    ['fieldSelector=metadata.name%3Db', ['b']],
    ['fieldSelector=metadata.name!%3Db&labelSelector=app', ['a', 'c']],
  ])('selects by %s', async (query, expected) => {
    const labels: Record<string, string | undefined> = { a: 'web', b: 'db', c: 'web', d: undefined }
    for (const [name, app] of Object.entries(labels))
      await api.call('POST', configMaps, configMap(name, {}, app ? { labels: { app } } : {}))
    expect(names((await api.call('GET', `${configMaps}?${query}`)).body)).toEqual(expected)
  })

  test('selects pods by node and phase, nodes by cordon', async () => {
    await api.call('POST', pods, pod('p1', { nodeName: 'n1' }))
    await api.call('POST', pods, pod('p2', { nodeName: 'n2' }))
    await api.call('POST', nodes, { ...node('n1'), spec: { unschedulable: true } })
    await api.call('POST', nodes, node('n2'))
    expect(
      names((await api.call('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2,status.phase%3DPending')).body),
    ).toEqual(['p2'])
    expect(names((await api.call('GET', `${nodes}?fieldSelector=spec.unschedulable%3Dfalse`)).body)).toEqual(['n2'])
  })

  test.each([
    ['fieldSelector=spec.color%3Dred', 'field label not supported: spec.color'],
    ['fieldSelector=color', 'invalid selector'],
    ['labelSelector=a%3D%3D%3Db', 'unable to parse requirement'],
    ['continue=garbage', 'continue key is not valid'],
    ['continue=x&resourceVersion=5', 'specifying resource version is not allowed when using continue'],
  ])('refuses %s', async (query, message) => {
    const { status, body } = await api.call('GET', `${configMaps}?${query}`)
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })
})

describe('watch', () => {
  test('without a version begins with the present state', async () => {
    await create('a', 'b')
    const watch = await api.watch(`${configMaps}?watch=1`)
    expect(await watch.take(2)).toEqual(['ADDED a', 'ADDED b'])
    await touch('a', '1')
    await api.call('DELETE', `${configMaps}/b`)
    expect(await watch.take(2)).toEqual(['MODIFIED a', 'DELETED b'])
    watch.close()
  })

  test('from a version begins with the changes after it, each with its own version', async () => {
    await create('a')
    const from = version()
    await touch('a', '1')
    await touch('a', '2')
    await api.call('DELETE', `${configMaps}/a`)
    const watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${from}`)
    const events = [await watch.next(), await watch.next(), await watch.next()]
    expect(
      events.map(({ type, object }) => [type, object.data.value, Number(object.metadata.resourceVersion) - from]),
    ).toEqual([
      ['MODIFIED', '1', 1],
      ['MODIFIED', '2', 2],
      ['DELETED', '2', 3],
    ])
    watch.close()
  })

  test.each([
    ['older than the history', 2, 'too old resource version: 2 '],
    ['that was never given out', 9999, 'unknown resource version: 9999'],
  ])('from a version %s is told to list again', async (_situation, from, message) => {
    await create('a')
    for (let index = 0; index < 25; index += 1) await touch('a', String(index))
    const [event, ...more] = await (await api.watch(`${configMaps}?watch=1&resourceVersion=${from}`)).rest()
    expect([event.type, event.object.code, event.object.reason, more]).toEqual(['ERROR', 410, 'Expired', []])
    expect(event.object.message).toContain(message)
  })

  test('streams the present state and then says that it is complete', async () => {
    await create('a', 'b')
    const watch = await api.watch(
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    )
    expect(await watch.take(2)).toEqual(['ADDED a', 'ADDED b'])
    expect(await watch.next()).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          resourceVersion: String(version()),
          creationTimestamp: null,
          annotations: { 'k8s.io/initial-events-end': 'true' },
        },
      },
    })
    watch.close()
  })

  test('of the present state at a version that is not reached is told to come back', async () => {
    const { status, body } = await api.call(
      'GET',
      `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=9999`,
    )
    expect([status, body.details.causes[0].reason]).toEqual([504, 'ResourceVersionTooLarge'])
  })

  test('with a timeout of zero has none of its own', async () => {
    const watch = await api.watch(`${configMaps}?watch=1&timeoutSeconds=0`)
    await api.clock.advance(60_000)
    await create('a')
    expect(await watch.take(1)).toEqual(['ADDED a'])
    watch.close()
  })

  test('sends bookmarks when asked, and ends at its timeout with one', async () => {
    await create('a')
    const watch = await api.watch(
      `${configMaps}?watch=1&resourceVersion=${version()}&allowWatchBookmarks=true&timeoutSeconds=90`,
    )
    await api.clock.advance(60_000)
    await api.call('POST', nodes, node('n'))
    await api.clock.advance(30_000)
    const events = await watch.rest()
    expect(events.map(({ type, object }) => [type, object.metadata.resourceVersion])).toEqual([
      ['BOOKMARK', String(version() - 1)],
      ['BOOKMARK', String(version())],
    ])
  })

  test('shows entering and leaving a selection as ADDED and DELETED', async () => {
    await create('a')
    const relabel = (app: string | null) =>
      api.call(
        'PATCH',
        `${configMaps}/a`,
        { metadata: { labels: { app } } },
        { headers: { 'content-type': 'application/merge-patch+json' } },
      )
    const watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${version()}&labelSelector=app%3Dweb`)
    await relabel('db')
    await relabel('web')
    await touch('a', '1')
    await relabel(null)
    expect(await watch.take(3)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a'])
    watch.close()
  })

  test('by node sees pods come and go as they are bound and deleted', async () => {
    await api.call('POST', pods, pod('p'))
    const watch = await api.watch('/api/v1/pods?watch=1&fieldSelector=spec.nodeName%3Dn1')
    const other = await api.watch('/api/v1/pods?watch=1&fieldSelector=spec.nodeName%3Dn2')
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } }
    expect((await api.call('POST', `${pods}/p/binding`, binding)).status).toBe(201)
    await api.call('DELETE', `${pods}/p?gracePeriodSeconds=0`)
    expect(await watch.take(2)).toEqual(['ADDED p', 'DELETED p'])
    watch.close()
    other.close()
    expect(await other.rest()).toEqual([])
  })

  test('of one name sees that object only', async () => {
    const watch = await api.watch(`${configMaps}?watch=1&fieldSelector=metadata.name%3Db`)
    await create('a', 'b', 'c')
    await touch('b', '1')
    expect(await watch.take(2)).toEqual(['ADDED b', 'MODIFIED b'])
    watch.close()
  })

  test('as tables carries the columns once', async () => {
    await create('a', 'b')
    const watch = await api.watch(`${configMaps}?watch=1`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    const [first, second] = [await watch.next(), await watch.next()]
    expect([first.object.kind, first.object.columnDefinitions.length > 0, second.object.columnDefinitions]).toEqual([
      'Table',
      true,
      [],
    ])
    watch.close()
  })

  test('shows events of core and events.k8s.io under both names', async () => {
    const watch = await api.watch('/apis/events.k8s.io/v1/namespaces/default/events?watch=1')
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Node', name: 'n' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
    }
    await api.call('POST', '/api/v1/namespaces/default/events', event)
    expect((await watch.next()).object).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { name: 'n' },
      note: 'm',
    })
    expect(names((await api.call('GET', '/api/v1/events?fieldSelector=involvedObject.name%3Dn')).body)).toEqual(['e'])
    watch.close()
  })

  test('ends when the server closes', async () => {
    const watch = await api.watch(`${configMaps}?watch=1`)
    const rest = watch.rest()
    await api.server.close()
    expect(await rest).toEqual([])
  })
})
