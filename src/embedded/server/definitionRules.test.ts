import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, paths, startHarness, widget, widgetDefinition } from '../../../test/embedded/apiHarness.ts'

let api: Harness
beforeEach(async () => {
  api = await startHarness()
})
afterEach(async () => {
  await api.close()
  expect(api.faults).toEqual([])
})

const { definitions, widgets } = paths
const path = `${definitions}/widgets.example.com`
const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
const change = (spec: object) => api.call('PATCH', path, { spec }, merge)
const define = (change: object) => {
  const definition = widgetDefinition()
  return api.call('POST', definitions, { ...definition, spec: { ...definition.spec, ...change } })
}
const version = (schema: object, rest: object = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } },
  ...rest,
})
const spec = (properties: object) => ({ type: 'object', properties })

describe('a definition is refused', () => {
  test.each<[string, object, string]>([
    ['with fields without a type', { versions: [version(spec({ a: {} }))] }, 'properties[spec].properties[a].type'],
    [
      'with a default that does not fit',
      { versions: [version(spec({ a: { type: 'integer', default: 'x' } }))] },
      '.default',
    ],
    [
      'with a rule that does not parse',
      { versions: [version({ ...spec({}), 'x-kubernetes-validations': [{ rule: 'self.a >' }] })] },
      'openAPIV3Schema',
    ],
    ['with an unknown scope', { scope: 'Galaxy' }, 'spec.scope'],
    [
      'with a plural that cannot stand in a path',
      { names: { plural: 'Wid/gets', kind: 'Widget' } },
      'spec.names.plural',
    ],
    [
      'with a version twice',
      { versions: [version({ type: 'object' }), version({ type: 'object' }, { storage: false })] },
      'spec.versions[1].name',
    ],
    [
      'with a version that is no name',
      { versions: [version({ type: 'object' }, { name: 'V1_x' })] },
      'spec.versions[0].name',
    ],
    ['without a stored version', { versions: [version({ type: 'object' }, { storage: false })] }, 'spec.versions'],
    ['that preserves unknown fields everywhere', { preserveUnknownFields: true }, 'spec.preserveUnknownFields'],
    [
      'with columns that cannot be printed',
      {
        versions: [
          version({ type: 'object' }, { additionalPrinterColumns: [{ name: 'A', type: 'strng', jsonPath: 'x' }] }),
        ],
      },
      'spec.versions[0].additionalPrinterColumns[0].type',
    ],
  ])('%s', async (_situation, given, field) => {
    const { status, body } = await define(given)
    const fields = body.details.causes.map((cause: { field: string }) => cause.field)
    expect([status, fields.some((each: string) => each.endsWith(field))], body.message).toEqual([422, true])
  })
})

describe('a definition that is served', () => {
  beforeEach(async () => {
    await api.call('POST', definitions, widgetDefinition(spec({ size: { type: 'integer' } })))
    await api.call('POST', widgets, widget('w', { size: 1 }))
  })

  test.each<[string, object, string]>([
    ['scope', { scope: 'Cluster' }, 'spec.scope: Invalid value: "Cluster": field is immutable'],
    ['kind', { names: { kind: 'Gadget' } }, 'spec.names.kind: Invalid value: "Gadget": field is immutable'],
    ['stored version', { versions: [version({ type: 'object' }, { name: 'v2' })] }, 'missing from spec.versions'],
  ])('keeps its %s', async (_field, given, message) => {
    const { status, body } = await change(given)
    expect([status, body.message]).toEqual([422, expect.stringContaining(message)])
    expect((await api.call('GET', `${widgets}/w`)).status).toBe(200)
  })

  test('gives old objects its new defaults when they are read, and hides fields that are gone', async () => {
    await change({ versions: [version(spec({ color: { type: 'string', default: 'red' } }))] })
    const seen = await api.call('GET', `${widgets}/w`)
    expect(seen.body.spec).toEqual({ color: 'red' })
    expect((await api.call('GET', widgets)).body.items[0].spec).toEqual({ color: 'red' })
    const watch = await api.watch(`${widgets}?watch=1`)
    expect((await watch.next()).object.spec).toEqual({ color: 'red' })
    watch.close()
    const same = await api.call('PUT', `${widgets}/w`, seen.body)
    expect(same.body.metadata.resourceVersion).toBe(seen.body.metadata.resourceVersion)
    const labelled = await api.call('PATCH', `${widgets}/w`, { metadata: { labels: { a: 'b' } } }, merge)
    expect([labelled.body.spec, labelled.body.metadata.generation]).toEqual([{ color: 'red' }, 1])
  })

  test('applies transition rules to old objects with their defaults', async () => {
    const rules = [{ rule: 'self.color == oldSelf.color', message: 'no recolor' }]
    const schema = { ...spec({ color: { type: 'string', default: 'red' } }), 'x-kubernetes-validations': rules }
    await change({ versions: [version(schema)] })
    const { status, body } = await api.call('PATCH', `${widgets}/w`, { spec: { color: 'blue' } }, merge)
    expect([status, body.message]).toEqual([422, expect.stringContaining('no recolor')])
  })

  test('shows its objects in a second version, and stores them there once that is the stored one', async () => {
    const schema = spec({ size: { type: 'integer' } })
    await change({ versions: [version(schema, { storage: false }), version(schema, { name: 'v2' })] })
    const second = '/apis/example.com/v2/namespaces/default/widgets'
    expect((await api.call('GET', `${second}/w`)).body).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { size: 1 },
    })
    await api.call('PATCH', `${second}/w`, { spec: { size: 2 } }, merge)
    expect((await api.call('GET', `${widgets}/w`)).body).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { size: 2 },
    })
    expect((await api.call('GET', path)).body.status.storedVersions).toEqual(['v1', 'v2'])
  })
})
