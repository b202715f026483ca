import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  configMap,
  type Harness,
  node,
  paths,
  pod,
  startHarness,
  widget,
  widgetDefinition,
} from '../../../test/embedded/apiHarness.ts'

let api: Harness
beforeEach(async () => {
  api = await startHarness()
})
afterEach(async () => {
  await api.close()
  expect(api.faults).toEqual([])
})

const { configMaps, nodes, pods, widgets } = paths
const url = (name: string) => `${configMaps}/${name}`

describe('create', () => {
  test('fills the metadata that only the server knows', async () => {
    const { status, body } = await api.call(
      'POST',
      configMaps,
      configMap('a', { x: '1' }, { uid: 'mine', generation: 7, creationTimestamp: '2001-01-01T00:00:00Z' }),
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { x: '1' } })
    expect(body.metadata).toMatchObject({ name: 'a', namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' })
    expect(body.metadata.uid).toMatch(/^uid-/)
    expect(body.metadata.generation).toBeUndefined()
    expect(Number(body.metadata.resourceVersion)).toBe(api.server.context.database.revision)
  })

  test('makes a name from generateName', async () => {
    const { body } = await api.call('POST', configMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'web-' },
    })
    expect(body.metadata.name).toMatch(/^web-.{5}$/)
  })

  test('makes another name when the generated one is taken', async () => {
    const make = () =>
      api.call('POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'web-' } })
    const { body } = await make()
    // Between two generated names the counter is taken twice, for the uids of this object and the one in the way.
    const count = Number(body.metadata.name.replace(/\D/g, ''))
    const named = (number: number) => `web-${String(number).padStart(5, 'x')}`
    await api.call('POST', configMaps, configMap(named(count + 3)))
    const again = await make()
    expect([again.status, again.body.metadata.name]).toEqual([201, named(count + 4)])
  })

  test('refuses repeated keys and unknown metadata when asked to be strict, and warns otherwise', async () => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"s","lables":{}},"data":{"a":"1","a":"2"}}'
    const strict = await api.call('POST', `${configMaps}?fieldValidation=Strict`, body)
    expect([strict.status, strict.body.message]).toEqual([
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "a", unknown field "metadata.lables"',
    ])
    const { status, headers } = await api.call('POST', `${configMaps}?fieldValidation=Warn`, body)
    expect([status, headers.warning]).toEqual([
      201,
      '299 - "duplicate field \\"a\\"", 299 - "unknown field \\"metadata.lables\\""',
    ])
  })

  test('drops the status of kinds that have one of their own, but keeps that of a node', async () => {
    const started = await api.call('POST', pods, { ...pod('p'), status: { phase: 'Running' } })
    expect(started.body.status.phase).toBe('Pending')
    const registered = await api.call('POST', nodes, { ...node('n'), status: { nodeInfo: { kernelVersion: '6.1' } } })
    expect(registered.body.status.nodeInfo.kernelVersion).toBe('6.1')
  })

  test.each<[string, string, unknown, number, string, string]>([
    ['a name that is taken', configMaps, configMap('taken'), 409, 'AlreadyExists', 'configmaps "taken" already exists'],
    [
      'a namespace that does not exist',
      '/api/v1/namespaces/nowhere/configmaps',
      configMap('a'),
      404,
      'NotFound',
      'namespaces "nowhere" not found',
    ],
    [
      'another namespace than the URL',
      configMaps,
      configMap('a', {}, { namespace: 'other' }),
      400,
      'BadRequest',
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'no name',
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      422,
      'Invalid',
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      'a resourceVersion',
      configMaps,
      configMap('a', {}, { resourceVersion: '5' }),
      400,
      'BadRequest',
      'resourceVersion should not be set on objects to be created',
    ],
    ['another kind', configMaps, pod('a'), 400, 'BadRequest', 'Pod in version "v1" cannot be handled as a ConfigMap'],
    [
      'another version',
      configMaps,
      { ...configMap('a'), apiVersion: 'v2' },
      400,
      'BadRequest',
      'the API version in the data (v2) does not match the expected API version (v1)',
    ],
    ['an empty body', configMaps, '', 400, 'BadRequest', 'the body of the request is empty'],
    [
      'a body that is no JSON',
      configMaps,
      '{"secret": hunter2}',
      400,
      'BadRequest',
      'the body of the request is not valid JSON',
    ],
    ['a list as body', configMaps, '[]', 400, 'BadRequest', 'not a JSON object'],
    [
      'a resource that is not served',
      '/api/v1/namespaces/default/gadgets',
      configMap('a'),
      404,
      'NotFound',
      'the server could not find the requested resource',
    ],
    [
      'a namespaced kind without a namespace',
      '/api/v1/configmaps',
      configMap('a'),
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
    ],
  ])('refuses %s', async (_situation, where, body, code, reason, message) => {
    await api.call('POST', configMaps, configMap('taken'))
    const answer = await api.call('POST', where, body)
    expect([answer.status, answer.body.kind, answer.body.status, answer.body.code, answer.body.reason]).toEqual([
      code,
      'Status',
      'Failure',
      code,
      reason,
    ])
    expect(answer.body.message).toContain(message)
    expect(JSON.stringify(answer.body)).not.toContain('hunter2')
  })

  test('refuses an invalid name with one cause per problem', async () => {
    const { status, body } = await api.call('POST', configMaps, configMap('Not_Valid'))
    expect(status).toBe(422)
    expect(body.message).toContain(
      'ConfigMap "Not_Valid" is invalid: metadata.name: Invalid value: "Not_Valid": a lowercase RFC 1123 subdomain',
    )
    expect(body.details).toMatchObject({
      name: 'Not_Valid',
      kind: 'ConfigMap',
      causes: [{ reason: 'FieldValueInvalid', field: 'metadata.name' }],
    })
  })

  test('does everything but store in a dry run', async () => {
    const { status, body } = await api.call('POST', `${configMaps}?dryRun=All`, configMap('a'))
    expect([status, body.metadata.name]).toEqual([201, 'a'])
    expect((await api.call('GET', url('a'))).status).toBe(404)
  })

  test('reads YAML', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {mode: "0644"}\n'
    const { status, body } = await api.call('POST', configMaps, text, {
      headers: { 'content-type': 'application/yaml' },
    })
    expect([status, body.data]).toEqual([201, { mode: '0644' }])
  })

  test('gives one of many writers of a name the success and the others the conflict', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.call('POST', configMaps, configMap('a'))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  })
})

describe('get', () => {
  test('refuses a resourceVersion that is none', async () => {
    await api.call('POST', configMaps, configMap('a'))
    expect((await api.call('GET', `${url('a')}?resourceVersion=abc`)).status).toBe(422)
  })

  test.each([
    ['a missing object', url('a'), 'configmaps "a" not found', { name: 'a', kind: 'configmaps' }],
    [
      'a missing object of a group',
      '/apis/apps/v1/namespaces/default/deployments/d',
      'deployments.apps "d" not found',
      { name: 'd', group: 'apps', kind: 'deployments' },
    ],
    [
      'a subresource that the kind does not have',
      `${url('a')}/status`,
      'the server could not find the requested resource',
      {},
    ],
  ])('answers 404 for %s', async (_situation, where, message, details) => {
    const { status, body } = await api.call('GET', where)
    expect([status, body.message, body.details]).toEqual([404, message, details])
  })

  test('answers as YAML, as a table and as metadata when asked', async () => {
    await api.call('POST', configMaps, configMap('a', { x: '1' }))
    const yaml = await api.call('GET', url('a'), undefined, { headers: { accept: 'application/yaml' } })
    expect(yaml.body).toContain('kind: ConfigMap\n')
    const table = await api.call('GET', url('a'), undefined, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(table.body).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      rows: [{ cells: ['a', 1, '0s'], object: { kind: 'PartialObjectMetadata' } }],
    })
    const metadata = await api.call('GET', url('a'), undefined, {
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    })
    expect(Object.keys(metadata.body)).toEqual(['kind', 'apiVersion', 'metadata'])
  })
})

describe('update', () => {
  test.each(['PUT', 'PATCH'])('%s of a collection is no method', async (method) => {
    const headers = { 'content-type': method === 'PUT' ? 'application/json' : 'application/apply-patch+yaml' }
    expect((await api.call(method, `${configMaps}?fieldManager=me`, configMap('a'), { headers })).status).toBe(405)
  })

  test('refuses to move an object to another namespace', async () => {
    await api.call('POST', configMaps, configMap('a'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const { status } = await api.call('PATCH', url('a'), { metadata: { namespace: 'kube-system' } }, { headers })
    expect(status).toBe(400)
  })

  test('replaces what the client may change and keeps the rest', async () => {
    const { body: created } = await api.call('POST', configMaps, configMap('a', { x: '1' }, { labels: { old: 'yes' } }))
    const { status, body } = await api.call('PUT', url('a'), {
      ...created,
      data: { y: '2' },
      metadata: { ...created.metadata, labels: { fresh: 'yes' }, creationTimestamp: null },
    })
    expect([status, body.data, body.metadata.labels]).toEqual([200, { y: '2' }, { fresh: 'yes' }])
    expect(body.metadata).toMatchObject({
      uid: created.metadata.uid,
      creationTimestamp: created.metadata.creationTimestamp,
    })
  })

  test('keeps the resourceVersion when nothing changes', async () => {
    const { body: created } = await api.call('POST', configMaps, configMap('a'))
    const { body } = await api.call('PUT', url('a'), created)
    expect(body).toEqual(created)
  })

  test('refuses an outdated resourceVersion', async () => {
    const { body: created } = await api.call('POST', configMaps, configMap('a'))
    await api.call('PUT', url('a'), { ...created, data: { x: '1' } })
    const { status, body } = await api.call('PUT', url('a'), { ...created, data: { x: '2' } })
    expect([status, body.reason, body.message]).toEqual([
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ])
  })

  test('refuses another uid, another name, and a missing object', async () => {
    await api.call('POST', configMaps, configMap('a'))
    expect((await api.call('PUT', url('a'), configMap('a', {}, { uid: 'other' }))).body.message).toContain(
      'Precondition failed: UID in precondition: other',
    )
    expect((await api.call('PUT', url('a'), configMap('b'))).body.message).toBe(
      'the name of the object (b) does not match the name on the URL (a)',
    )
    expect((await api.call('PUT', url('c'), configMap('c'))).status).toBe(404)
  })

  test('changes status by its subresource only, and nothing else there', async () => {
    await api.call('POST', paths.definitions, widgetDefinition())
    const { body: created } = await api.call('POST', widgets, {
      ...widget('w', { size: 1 }),
      status: { phase: 'Ready' },
    })
    expect([created.status, created.metadata.generation]).toEqual([undefined, 1])
    const main = await api.call('PUT', `${widgets}/w`, { ...created, spec: { size: 2 }, status: { phase: 'Ready' } })
    expect([main.body.status, main.body.metadata.generation]).toEqual([undefined, 2])
    const status = await api.call('PUT', `${widgets}/w/status`, {
      ...main.body,
      spec: { size: 3 },
      status: { phase: 'Ready' },
    })
    expect([status.body.spec, status.body.status, status.body.metadata.generation]).toEqual([
      { size: 2 },
      { phase: 'Ready' },
      2,
    ])
  })

  test('demands a resourceVersion for custom resources', async () => {
    await api.call('POST', paths.definitions, widgetDefinition())
    await api.call('POST', widgets, widget('w'))
    const { status, body } = await api.call('PUT', `${widgets}/w`, widget('w'))
    expect([status, body.message]).toEqual([
      422,
      'Widget.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    ])
  })

  test('creates leases that do not exist', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me' },
    }
    const { status } = await api.call('PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/l', lease)
    expect(status).toBe(201)
  })
})

describe('patch', () => {
  test.each([
    ['application/merge-patch+json', { data: { x: null, y: '2' } }, { y: '2' }],
    ['application/strategic-merge-patch+json', { data: { y: '2' } }, { x: '1', y: '2' }],
    ['application/json-patch+json', [{ op: 'replace', path: '/data/x', value: '5' }], { x: '5' }],
    [
      'application/apply-patch+yaml',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { z: '9' } },
      { x: '1', z: '9' },
    ],
  ])('applies %s', async (type, body, data) => {
    await api.call('POST', configMaps, configMap('a', { x: '1' }))
    const answer = await api.call('PATCH', `${url('a')}?fieldManager=me`, body, { headers: { 'content-type': type } })
    expect([answer.status, answer.body.data]).toEqual([200, data])
  })

  test('creates by apply, with the applier as the only manager', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } }
    const headers = { 'content-type': 'application/apply-patch+yaml' }
    const created = await api.call('PATCH', `${url('a')}?fieldManager=me`, body, { headers })
    expect([created.status, created.body.metadata.managedFields]).toMatchObject([
      201,
      [{ manager: 'me', operation: 'Apply', fieldsV1: { 'f:data': { 'f:x': {} } } }],
    ])
    const again = await api.call('PATCH', `${url('a')}?fieldManager=me`, body, { headers })
    expect([again.status, again.body.metadata.resourceVersion]).toEqual([200, created.body.metadata.resourceVersion])
  })

  test('takes a resourceVersion in a patch as a precondition', async () => {
    await api.call('POST', configMaps, configMap('a'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    const { status, body } = await api.call(
      'PATCH',
      url('a'),
      { metadata: { resourceVersion: '1' }, data: { x: '1' } },
      { headers },
    )
    expect([status, body.reason]).toEqual([409, 'Conflict'])
  })

  test('loses none of many patches at once', async () => {
    await api.call('POST', configMaps, configMap('a'))
    const headers = { 'content-type': 'application/merge-patch+json' }
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.call('PATCH', url('a'), { data: { [`k${index}`]: 'v' } }, { headers }),
      ),
    )
    expect(Object.keys((await api.call('GET', url('a'))).body.data)).toHaveLength(20)
  })

  test('refuses unknown types, and unknown fields when asked to be strict', async () => {
    await api.call('POST', pods, pod('p'))
    expect((await api.call('PATCH', `${pods}/p`, {}, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    const strict = await api.call(
      'PATCH',
      `${paths.budgets}/x?fieldValidation=Strict&fieldManager=m`,
      { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'x' }, spec: { minAvailabel: 1 } },
      { headers: { 'content-type': 'application/apply-patch+yaml' } },
    )
    expect(strict.status).toBeGreaterThanOrEqual(400)
  })
})

describe('delete', () => {
  test('answers with the Status of what is gone', async () => {
    const { body: created } = await api.call('POST', configMaps, configMap('a'))
    const { status, body } = await api.call('DELETE', url('a'))
    expect([status, body]).toEqual([
      200,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', kind: 'configmaps', uid: created.metadata.uid },
      },
    ])
    expect((await api.call('DELETE', url('a'))).status).toBe(404)
  })

  test('only marks an object with finalizers, which goes with the last of them', async () => {
    const { body: created } = await api.call(
      'POST',
      configMaps,
      configMap('a', {}, { finalizers: ['example.com/hold'] }),
    )
    const marked = await api.call('DELETE', url('a'))
    expect(marked.body).toMatchObject({
      kind: 'ConfigMap',
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
    })
    const added = await api.call('PUT', url('a'), {
      ...marked.body,
      metadata: { ...marked.body.metadata, finalizers: ['example.com/hold', 'example.com/more'] },
    })
    expect(added.body.message).toContain('no new finalizers can be added if the object is being deleted')
    const released = await api.call('PUT', url('a'), {
      ...marked.body,
      metadata: { ...marked.body.metadata, finalizers: [] },
    })
    expect([released.status, released.body.metadata.uid]).toEqual([200, created.metadata.uid])
    expect((await api.call('GET', url('a'))).status).toBe(404)
  })

  test('removes a pod without a node at once and answers with the pod', async () => {
    await api.call('POST', pods, pod('p'))
    expect((await api.call('DELETE', `${pods}/p`)).body.kind).toBe('Pod')
    expect((await api.call('GET', `${pods}/p`)).status).toBe(404)
  })

  test('leaves a pod on a node terminating until its kubelet deletes it with no grace', async () => {
    await api.call('POST', pods, pod('p', { nodeName: 'n', terminationGracePeriodSeconds: 20 }))
    const marked = await api.call('DELETE', `${pods}/p`)
    expect(marked.body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:20Z',
      deletionGracePeriodSeconds: 20,
    })
    const longer = await api.call('DELETE', `${pods}/p?gracePeriodSeconds=60`)
    expect(longer.body.metadata.resourceVersion).toBe(marked.body.metadata.resourceVersion)
    const shorter = await api.call('DELETE', `${pods}/p?gracePeriodSeconds=5`)
    expect(shorter.body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:05Z',
      deletionGracePeriodSeconds: 5,
    })
    await api.call('DELETE', `${pods}/p`, { gracePeriodSeconds: 0 })
    expect((await api.call('GET', `${pods}/p`)).status).toBe(404)
  })

  test.each([
    [{ uid: 'other' }, 'Precondition failed: UID in precondition: other'],
    [{ resourceVersion: '1' }, 'Precondition failed: ResourceVersion in precondition: 1'],
  ])('refuses preconditions %j that do not hold', async (preconditions, message) => {
    await api.call('POST', configMaps, configMap('a'))
    const { status, body } = await api.call('DELETE', url('a'), { preconditions })
    expect([status, body.message]).toEqual([409, expect.stringContaining(message)])
  })

  test('removes a selection of a collection and answers with its objects', async () => {
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const)
      await api.call('POST', configMaps, configMap(name, {}, { labels: { app } }))
    const { body } = await api.call('DELETE', `${configMaps}?labelSelector=app%3Dx`)
    expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['a', 'c'])
    expect((await api.call('GET', configMaps)).body.items).toHaveLength(1)
  })

  test('keeps the namespaces that a cluster cannot do without', async () => {
    const { status, body } = await api.call('DELETE', '/api/v1/namespaces/default')
    expect([status, body.message]).toEqual([
      403,
      'namespaces "default" is forbidden: this namespace may not be deleted',
    ])
  })
})
