import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, node, paths, pod, startHarness } from '../../../test/embedded/apiHarness.ts'

let api: Harness
beforeEach(async () => {
  api = await startHarness()
})
afterEach(async () => {
  await api.close()
  expect(api.faults).toEqual([])
})

/** As typed Go clients ask: they prefer protobuf and take JSON. */
const headers = {
  'content-type': 'application/vnd.kubernetes.protobuf',
  accept: 'application/vnd.kubernetes.protobuf,application/json',
}

/** A message of texts, each below 128 bytes. */
const message = (...fields: readonly (readonly [number: number, content: string | Buffer])[]): Buffer =>
  Buffer.concat(
    fields.map(([number, content]) => {
      const bytes = Buffer.from(content)
      return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes])
    }),
  )
const envelope = (apiVersion: string, kind: string, object: Buffer): Buffer =>
  Buffer.concat([Buffer.from('k8s\0'), message([1, message([1, apiVersion], [2, kind])], [2, object])])
/** A length of two bytes: 128 to 16383. */
const lengthOf = (length: number): Buffer => Buffer.from([(length % 128) + 128, Math.floor(length / 128)])
const named = (name: string): Buffer => message([1, message([1, name])])

describe('a body in protobuf', () => {
  test('creates an object, and the answer is JSON', async () => {
    const created = await api.call('POST', '/api/v1/namespaces', envelope('v1', 'Namespace', named('shop')), {
      headers,
    })
    expect(created.status).toBe(201)
    expect(created.headers['content-type']).toBe('application/json')
    expect(created.body).toMatchObject({ kind: 'Namespace', metadata: { name: 'shop' }, status: { phase: 'Active' } })
  })

  test('replaces an object', async () => {
    await api.call('POST', paths.configMaps, envelope('v1', 'ConfigMap', named('a')), { headers })
    const data = message([2, message([1, 'key'], [2, 'value'])])
    const body = envelope('v1', 'ConfigMap', Buffer.concat([named('a'), data]))
    const { status, body: replaced } = await api.call('PUT', `${paths.configMaps}/a`, body, { headers })
    expect([status, replaced.data]).toEqual([200, { key: 'value' }])
  })

  test('carries the options of a delete and of an eviction', async () => {
    await api.call('POST', paths.configMaps, envelope('v1', 'ConfigMap', named('a')), { headers })
    const other = envelope('v1', 'DeleteOptions', message([2, message([1, 'other'])]))
    expect((await api.call('DELETE', `${paths.configMaps}/a`, other, { headers })).status).toBe(409)
    const dryRun = envelope('v1', 'DeleteOptions', message([5, 'All']))
    expect((await api.call('DELETE', `${paths.configMaps}/a`, dryRun, { headers })).status).toBe(200)
    expect((await api.call('GET', `${paths.configMaps}/a`)).status).toBe(200)

    await api.call('POST', paths.nodes, node('n'))
    await api.call('POST', paths.pods, pod('p', { nodeName: 'n' }))
    const eviction = envelope('policy/v1', 'Eviction', Buffer.concat([named('p'), message([2, message([5, 'All'])])]))
    expect((await api.call('POST', `${paths.pods}/p/eviction`, eviction, { headers })).status).toBe(201)
    expect((await api.call('GET', `${paths.pods}/p`)).body.metadata.deletionTimestamp).toBeUndefined()
  })

  test('is refused for a kind that has none, naming the types that work', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const body = envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', named('a.b.c'))
    const refused = await api.call('POST', definitions, body, { headers })
    expect([refused.status, refused.body.reason]).toEqual([415, 'UnsupportedMediaType'])
    expect(refused.body.message).toContain('application/json, application/yaml')
  })

  test('of another kind than the path is refused like JSON', async () => {
    const refused = await api.call('POST', paths.configMaps, envelope('v1', 'Secret', named('a')), { headers })
    expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest'])
  })

  test('with JSON that is nested too deep is refused', async () => {
    const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
    const body = Buffer.concat([
      Buffer.from([0x12]),
      lengthOf(deep.length + 3),
      Buffer.from([0x0a]),
      lengthOf(deep.length),
      Buffer.from(deep),
    ])
    const revision = Buffer.concat([
      Buffer.from('k8s\0'),
      message([1, message([1, 'apps/v1'], [2, 'ControllerRevision'])]),
      Buffer.from([0x12]),
      lengthOf(body.length),
      body,
    ])
    const refused = await api.call('POST', '/apis/apps/v1/namespaces/default/controllerrevisions', revision, {
      headers,
    })
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('exceeded max depth')])
  })

  test('that is damaged is refused with the place of the damage', async () => {
    const damaged = envelope('v1', 'ConfigMap', Buffer.from([0x0a, 0x7f]))
    const refused = await api.call('POST', paths.configMaps, damaged, { headers })
    expect([refused.status, refused.body.reason]).toEqual([400, 'BadRequest'])
    expect(refused.body.message).toContain('field 1 is 127 bytes long, but its message ends after 0')
  })
})
