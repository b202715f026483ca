import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  configMap,
  type Harness,
  paths,
  pod,
  startHarness,
  widget,
  widgetDefinition,
} from '../../../test/embedded/apiHarness.ts'
import { memoryStore } from '../store/memoryStore.ts'

let api: Harness
beforeEach(async () => {
  api = await startHarness()
})
afterEach(async () => {
  await api.close()
  expect(api.faults).toEqual([])
})

const { configMaps, namespaces, widgets, definitions } = paths
const exists = async (url: string) => (await api.call('GET', url)).status === 200
const ownedBy = (owner: { metadata: { name: string; uid: string } }, extra: object = {}) => ({
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name: owner.metadata.name, uid: owner.metadata.uid, ...extra },
  ],
})
const makeOwner = async () => (await api.call('POST', configMaps, configMap('owner'))).body

describe('garbage collection', () => {
  test('deletes dependents of a deleted owner, and theirs', async () => {
    const owner = await makeOwner()
    const child = (await api.call('POST', configMaps, configMap('child', {}, ownedBy(owner)))).body
    await api.call('POST', configMaps, configMap('grandchild', {}, ownedBy(child)))
    await api.server.idle()
    expect(await exists(`${configMaps}/child`)).toBe(true)
    await api.call('DELETE', `${configMaps}/owner`)
    await api.server.idle()
    expect([await exists(`${configMaps}/child`), await exists(`${configMaps}/grandchild`)]).toEqual([false, false])
  })

  test.each([['a'], ['a', 'b'], ['a', 'b', 'c']])(
    'ends a foreground deletion of objects that own each other (%s %s %s)',
    async (...names) => {
      const ring = names.filter((name) => typeof name === 'string')
      const made = new Map<string, { metadata: { name: string; uid: string } }>()
      for (const name of ring) made.set(name, (await api.call('POST', configMaps, configMap(name))).body)
      for (const [index, name] of ring.entries()) {
        const owner = made.get(ring[(index + 1) % ring.length] ?? '')
        const metadata = owner && ownedBy(owner, { blockOwnerDeletion: true })
        const headers = { 'content-type': 'application/merge-patch+json' }
        await api.call('PATCH', `${configMaps}/${name}`, { metadata }, { headers })
      }
      await api.call('DELETE', `${configMaps}/a?propagationPolicy=Foreground`)
      await api.server.idle()
      expect(await Promise.all(ring.map((name) => exists(`${configMaps}/${name}`)))).toEqual(ring.map(() => false))
    },
  )

  test('deletes an object that names an owner that does not exist', async () => {
    await api.call('POST', configMaps, configMap('child', {}, ownedBy({ metadata: { name: 'ghost', uid: 'gone' } })))
    await api.server.idle()
    expect(await exists(`${configMaps}/child`)).toBe(false)
  })

  test('keeps an object whose owner is of a kind that is not served', async () => {
    const ownerReferences = [{ apiVersion: 'unknown.io/v1', kind: 'Thing', name: 'x', uid: 'u' }]
    await api.call('POST', configMaps, configMap('child', {}, { ownerReferences }))
    await api.server.idle()
    expect(await exists(`${configMaps}/child`)).toBe(true)
  })

  test('keeps an object that has another owner left, and forgets the missing one', async () => {
    const owner = await makeOwner()
    const second = (await api.call('POST', configMaps, configMap('second'))).body
    const ownerReferences = [...ownedBy(owner).ownerReferences, ...ownedBy(second).ownerReferences]
    await api.call('POST', configMaps, configMap('child', {}, { ownerReferences }))
    await api.call('DELETE', `${configMaps}/owner`)
    await api.server.idle()
    const { body } = await api.call('GET', `${configMaps}/child`)
    expect(body.metadata.ownerReferences.map(({ name }: { name: string }) => name)).toEqual(['second'])
  })

  test('orphans dependents when asked', async () => {
    const owner = await makeOwner()
    await api.call('POST', configMaps, configMap('child', {}, ownedBy(owner)))
    await api.call('DELETE', `${configMaps}/owner?propagationPolicy=Orphan`)
    await api.server.idle()
    const { body } = await api.call('GET', `${configMaps}/child`)
    expect([await exists(`${configMaps}/owner`), body.metadata.ownerReferences]).toEqual([false, undefined])
  })

  test('keeps the owner until blocking dependents are gone in the foreground', async () => {
    const owner = await makeOwner()
    const metadata = { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['example.com/hold'] }
    await api.call('POST', configMaps, configMap('child', {}, metadata))
    const marked = await api.call('DELETE', `${configMaps}/owner`, { propagationPolicy: 'Foreground' })
    expect(marked.body.metadata.finalizers).toEqual(['foregroundDeletion'])
    await api.server.idle()
    const child = (await api.call('GET', `${configMaps}/child`)).body
    expect([await exists(`${configMaps}/owner`), child.metadata.deletionTimestamp]).toEqual([
      true,
      '2026-01-01T00:00:00Z',
    ])
    await api.call('PUT', `${configMaps}/child`, { ...child, metadata: { ...child.metadata, finalizers: [] } })
    await api.server.idle()
    expect([await exists(`${configMaps}/child`), await exists(`${configMaps}/owner`)]).toEqual([false, false])
  })
})

describe('events', () => {
  test('are refused in another namespace than what they are about', async () => {
    const event = (namespace?: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `about-${namespace}` },
      involvedObject: { kind: 'Pod', name: 'p', ...(namespace !== undefined && { namespace }) },
    })
    const inSystem = '/api/v1/namespaces/kube-system/events'
    const { status, body } = await api.call('POST', inSystem, event())
    expect([status, body.message]).toEqual([
      422,
      'Event "about-undefined" is invalid: involvedObject.namespace: Invalid value: "": does not match event.namespace',
    ])
    expect((await api.call('POST', inSystem, event('default'))).status).toBe(422)
    expect((await api.call('POST', inSystem, event('kube-system'))).status).toBe(201)
  })

  test('go an hour after they were last seen', async () => {
    const events = '/api/v1/namespaces/default/events'
    const event = (name: string, lastTimestamp: string) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: { kind: 'Node', name: 'n' },
      lastTimestamp,
    })
    await api.call('POST', events, event('old', '2026-01-01T00:00:00Z'))
    await api.call('POST', events, event('seen-again', '2026-01-01T00:30:00Z'))
    await api.clock.advance(70 * 60_000)
    expect([await exists(`${events}/old`), await exists(`${events}/seen-again`)]).toEqual([false, true])
  })
})

describe('namespaces', () => {
  const createNamespace = () =>
    api.call('POST', namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } })

  test('go with everything in them', async () => {
    expect((await createNamespace()).body).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
    await api.call('POST', '/api/v1/namespaces/x/configmaps', configMap('a'))
    await api.call('POST', '/api/v1/namespaces/x/pods', pod('p'))
    expect((await api.call('DELETE', `${namespaces}/x`)).body.status.phase).toBe('Terminating')
    await api.server.idle()
    expect([await exists(`${namespaces}/x`), await exists('/api/v1/namespaces/x/configmaps/a')]).toEqual([false, false])
  })

  test('wait for pods that their kubelets are still ending, and take nothing new meanwhile', async () => {
    await createNamespace()
    await api.call('POST', '/api/v1/namespaces/x/pods', pod('p', { nodeName: 'n' }))
    await api.call('DELETE', `${namespaces}/x`)
    await api.server.idle()
    expect((await api.call('GET', `${namespaces}/x`)).body.status.phase).toBe('Terminating')
    const refused = await api.call('POST', '/api/v1/namespaces/x/configmaps', configMap('a'))
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'configmaps "a" is forbidden: unable to create new content in namespace x because it is being terminated',
    ])
    expect(refused.body.details.causes[0].reason).toBe('NamespaceTerminating')
    expect((await api.call('DELETE', `${namespaces}/x`)).status).toBe(409)
    await api.call('DELETE', '/api/v1/namespaces/x/pods/p?gracePeriodSeconds=0')
    await api.server.idle()
    expect(await exists(`${namespaces}/x`)).toBe(false)
  })
})

describe('custom resource definitions', () => {
  const schema = {
    type: 'object',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1 },
      color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
    },
    'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'too big' }],
  }

  test('serve their kind from the moment they are acknowledged', async () => {
    const { body } = await api.call('POST', definitions, widgetDefinition(schema))
    expect(
      body.status.conditions.map(({ type, status }: { type: string; status: string }) => `${type}=${status}`),
    ).toEqual(['NamesAccepted=True', 'Established=True'])
    const created = await api.call('POST', widgets, widget('w', { size: 3, shape: 'round' }))
    expect([created.status, created.body.spec, created.headers.warning]).toEqual([
      201,
      { size: 3, color: 'red' },
      '299 - "unknown field \\"spec.shape\\""',
    ])
    const groups = (await api.call('GET', '/apis')).body.groups.map(({ name }: { name: string }) => name)
    expect(groups).toContain('example.com')
  })

  test.each<[string, object, string, number, string]>([
    ['a missing field', {}, '', 422, 'spec.size: Required value'],
    [
      'a value out of range',
      { size: 0 },
      '',
      422,
      'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ],
    [
      'a value outside the enum',
      { size: 1, color: 'green' },
      '',
      422,
      'spec.color: Unsupported value: "green": supported values: "red", "blue"',
    ],
    ['a broken rule', { size: 200 }, '', 422, 'too big'],
    [
      'an unknown field in strict mode',
      { size: 1, shape: 'x' },
      '?fieldValidation=Strict',
      400,
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.shape"',
    ],
  ])('refuse %s', async (_situation, spec, query, code, message) => {
    await api.call('POST', definitions, widgetDefinition(schema))
    const { status, body } = await api.call('POST', `${widgets}${query}`, widget('w', spec))
    expect([status, body.message]).toEqual([code, expect.stringContaining(message)])
  })

  test('take their objects with them, and are gone from discovery', async () => {
    await api.call('POST', definitions, widgetDefinition())
    await api.call('POST', widgets, widget('w'))
    const watch = await api.watch(`${widgets}?watch=1`)
    expect((await api.call('DELETE', `${definitions}/widgets.example.com`)).body.metadata.finalizers).toEqual([
      'customresourcecleanup.apiextensions.k8s.io',
    ])
    await api.server.idle()
    expect(await exists(`${definitions}/widgets.example.com`)).toBe(false)
    expect((await watch.rest()).map(({ type }) => type)).toEqual(['ADDED', 'DELETED'])
    expect((await api.call('GET', widgets)).body.message).toBe('the server could not find the requested resource')
    expect((await api.call('GET', '/apis/example.com')).status).toBe(404)
  })

  test('take no new objects while they are being removed', async () => {
    await api.call('POST', definitions, widgetDefinition())
    await api.call('POST', widgets, widget('w', {}, { finalizers: ['example.com/hold'] }))
    await api.call('DELETE', `${definitions}/widgets.example.com`)
    await api.server.idle()
    const refused = await api.call('POST', widgets, widget('late'))
    expect([refused.status, refused.body.message]).toEqual([
      405,
      'create not allowed while custom resource definition is terminating',
    ])
    const { body } = await api.call('GET', `${widgets}/w`)
    await api.call('PUT', `${widgets}/w`, { ...body, metadata: { ...body.metadata, finalizers: [] } })
    await api.server.idle()
    expect(await exists(`${definitions}/widgets.example.com`)).toBe(false)
  })

  test.each<[string, object, string]>([
    [
      'another name than plural and group',
      { metadata: { name: 'wrong.example.com' } },
      'must be spec.names.plural+"."+spec.group',
    ],
    [
      'no schema',
      { spec: { ...widgetDefinition().spec, versions: [{ name: 'v1', served: true, storage: true }] } },
      'spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required',
    ],
    [
      'no storage version',
      {
        spec: {
          ...widgetDefinition().spec,
          versions: widgetDefinition().spec.versions.map((version: object) => ({ ...version, storage: false })),
        },
      },
      'must have exactly one version marked as storage version',
    ],
    [
      'a rule that does not parse',
      widgetDefinition({ ...schema, 'x-kubernetes-validations': [{ rule: 'self.size <' }] }),
      'spec.versions[0].schema.openAPIV3Schema',
    ],
  ])('are refused with %s', async (_situation, change, message) => {
    const { status, body } = await api.call('POST', definitions, { ...widgetDefinition(schema), ...change })
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)])
  })

  test('do not take names of another definition in the group', async () => {
    await api.call('POST', definitions, widgetDefinition())
    const spec = { ...widgetDefinition().spec, names: { plural: 'gadgets', kind: 'Widget' } }
    const { body } = await api.call('POST', definitions, {
      ...widgetDefinition(),
      metadata: { name: 'gadgets.example.com' },
      spec,
    })
    expect(body.status.conditions[0]).toMatchObject({
      type: 'NamesAccepted',
      status: 'False',
      reason: 'ListKindConflict',
      message: '"WidgetList" is already in use',
    })
    expect((await api.call('GET', '/apis/example.com/v1/gadgets')).status).toBe(404)
  })

  test('serve one stored object in all their versions', async () => {
    const [v1] = widgetDefinition().spec.versions
    const spec = { ...widgetDefinition().spec, versions: [{ ...v1, name: 'v1beta1', storage: false }, v1] }
    await api.call('POST', definitions, { ...widgetDefinition(), spec })
    await api.call('POST', '/apis/example.com/v1beta1/namespaces/default/widgets', {
      ...widget('w', { size: 1 }),
      apiVersion: 'example.com/v1beta1',
    })
    expect((await api.call('GET', `${widgets}/w`)).body).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { size: 1 },
    })
    expect((await api.call('GET', '/apis/example.com/v1beta1/widgets')).body.items[0].apiVersion).toBe(
      'example.com/v1beta1',
    )
  })
})

describe('a restarted server', () => {
  test('serves what was stored, also kinds that were defined at runtime, and finishes deletions', async () => {
    const store = memoryStore()
    const kept = { ...store, close: async () => undefined }
    const before = await startHarness({ store: kept })
    await before.call('POST', definitions, widgetDefinition())
    await before.call('POST', widgets, widget('w', { size: 1 }))
    await before.call('POST', configMaps, configMap('hold', {}, { finalizers: ['example.com/hold'] }))
    const version = before.server.context.database.revision
    await before.close()

    const after = await startHarness({ store: kept })
    expect((await after.call('GET', `${widgets}/w`)).body.spec).toEqual({ size: 1 })
    expect(after.server.context.database.revision).toBe(version)
    const [event] = await (await after.watch(`${widgets}?watch=1&resourceVersion=${version - 1}`)).rest()
    expect(event.object.code).toBe(410)
    const watch = await after.watch(`${configMaps}?watch=1&resourceVersion=${version}`)
    await after.call('POST', configMaps, configMap('new'))
    expect(await watch.take(1)).toEqual(['ADDED new'])
    await after.close()
  })
})
