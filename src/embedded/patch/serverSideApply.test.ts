import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../builtins/jsonObject.ts'
import { builtinResources } from '../builtins/resources.ts'
import { type ApiObject, allVerbs, type ResourceDefinition } from '../server/resource.ts'
import { StatusError } from '../server/statusError.ts'
import { updateManagedFields } from './managedFields.ts'
import { applyConfiguration } from './serverSideApply.ts'

const resource = (kind: string): ResourceDefinition => {
  const found = builtinResources.find((each) => each.kind === kind)
  if (!found) throw new Error(`no built-in kind ${kind}`)
  return found
}
const Deployment = resource('Deployment')
const ConfigMap = resource('ConfigMap')
const Pod = resource('Pod')
const Widget: ResourceDefinition = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  namespaced: true,
  verbs: allVerbs,
  custom: true,
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          names: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          order: { type: 'array', items: { type: 'string' } },
          config: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
}

const first = new Date('2026-01-01T00:00:00Z')
const later = new Date('2026-01-01T01:00:00Z')

interface Options {
  readonly of?: ResourceDefinition
  readonly manager?: string
  readonly force?: boolean
  readonly now?: Date
  readonly subresource?: string
}
function apply(live: ApiObject | undefined, config: JsonObject, options: Options = {}): ApiObject {
  const { of = ConfigMap, manager = 'alice', force = false, now = first, subresource = '' } = options
  return applyConfiguration(live, config, { resource: of, manager, force, now, subresource })
}
function update(old: ApiObject | undefined, next: ApiObject, options: Options = {}): ApiObject {
  const { of = ConfigMap, manager = 'bob', now = first, subresource = '' } = options
  return updateManagedFields(old, next, { resource: of, manager, now, subresource })
}

const configMap = (data: JsonObject): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c' },
  data,
})
const deployment = (spec: JsonObject): ApiObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec,
})
const widget = (spec: JsonObject): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w' },
  spec,
})
const pod = (...containers: readonly JsonObject[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers },
})
const managersOf = (object: ApiObject) =>
  Object.fromEntries((object.metadata.managedFields ?? []).map((entry) => [entry.manager ?? '', entry.fieldsV1]))

function refusal(act: () => unknown): StatusError {
  try {
    act()
  } catch (error) {
    if (error instanceof StatusError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('applyConfiguration', () => {
  it('creates an object whose applier owns exactly what it set', () => {
    const object = apply(undefined, configMap({ a: '1' }))
    expect(object).toEqual({
      ...configMap({ a: '1' }),
      metadata: {
        name: 'c',
        managedFields: [
          {
            apiVersion: 'v1',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { 'f:a': {} } },
            manager: 'alice',
            operation: 'Apply',
            time: '2026-01-01T00:00:00Z',
          },
        ],
      },
    })
  })

  it('changes nothing, not even the time, when applied again', () => {
    const once = apply(undefined, configMap({ a: '1' }))
    expect(apply(once, configMap({ a: '1' }), { now: later })).toEqual(once)
  })

  it('removes what the manager does not apply any more', () => {
    const live = apply(undefined, configMap({ a: '1', b: '2' }))
    const next = apply(live, configMap({ a: '1' }), { now: later })
    expect(next.data).toEqual({ a: '1' })
    expect(managersOf(next)).toEqual({ alice: { 'f:data': { 'f:a': {} } } })
  })

  it('keeps what another manager owns too', () => {
    const live = apply(apply(undefined, configMap({ a: '1', b: '2' })), configMap({ b: '2' }), { manager: 'bob' })
    expect(apply(live, configMap({ a: '1' })).data).toEqual({ a: '1', b: '2' })
  })

  it('shares a field between managers that apply the same value', () => {
    const live = apply(apply(undefined, configMap({ a: '1' })), configMap({ a: '1' }), { manager: 'bob' })
    expect(managersOf(live)).toEqual({ alice: { 'f:data': { 'f:a': {} } }, bob: { 'f:data': { 'f:a': {} } } })
  })

  it('refuses to change a field of another applier, in the words of the API server', () => {
    const live = apply(undefined, configMap({ a: '1' }))
    const { code, status } = refusal(() => apply(live, configMap({ a: '2' }), { manager: 'bob' }))
    expect(code).toBe(409)
    expect(status).toMatchObject({
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "alice": .data.a',
      details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.a' }] },
    })
  })

  it('names version, subresource and path of each conflict', () => {
    const live = update(
      undefined,
      deployment({ replicas: 3, template: { spec: { containers: [{ name: 'x', image: 'x:1' }] } } }),
      { of: Deployment, manager: 'kubectl-edit' },
    )
    const config = deployment({ replicas: 2, template: { spec: { containers: [{ name: 'x', image: 'x:2' }] } } })
    expect(refusal(() => apply(live, config, { of: Deployment })).message).toBe(
      [
        'Apply failed with 2 conflicts: conflicts with "kubectl-edit" using apps/v1:',
        '- .spec.replicas',
        '- .spec.template.spec.containers[name="x"].image',
      ].join('\n'),
    )
  })

  it('takes the field over by force', () => {
    const live = apply(undefined, configMap({ a: '1', b: '2' }))
    const next = apply(live, configMap({ a: '3' }), { manager: 'bob', force: true })
    expect(next.data).toEqual({ a: '3', b: '2' })
    expect(managersOf(next)).toEqual({ alice: { 'f:data': { 'f:b': {} } }, bob: { 'f:data': { 'f:a': {} } } })
  })

  it('merges list items by their keys and removes its own only', () => {
    const live = apply(undefined, pod({ name: 'a', image: 'a' }, { name: 'b', image: 'b' }), { of: Pod })
    const joined = apply(live, pod({ name: 'c', image: 'c' }), { of: Pod, manager: 'bob' })
    const next = apply(joined, pod({ name: 'b', image: 'b' }), { of: Pod })
    expect(next.spec).toEqual({
      containers: [
        { name: 'b', image: 'b' },
        { name: 'c', image: 'c' },
      ],
    })
    expect(managersOf(next).bob).toEqual({
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
    })
  })

  it('addresses ports by the default protocol when it is left out', () => {
    const object = apply(undefined, pod({ name: 'a', ports: [{ containerPort: 80 }] }), { of: Pod })
    expect(JSON.stringify(managersOf(object).alice)).toContain('k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}')
  })

  it('takes the default values of a list item away together with the item', () => {
    const live = apply(undefined, pod({ name: 'a' }, { name: 'b' }), { of: Pod })
    const defaulted = { ...live, spec: { containers: [{ name: 'a' }, { name: 'b', imagePullPolicy: 'Always' }] } }
    expect(apply(defaulted, pod({ name: 'a' }), { of: Pod }).spec).toEqual({ containers: [{ name: 'a' }] })
  })

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['a set by value', { names: ['a', 'b'] }, { names: ['c'] }, { names: ['a', 'b', 'c'] }],
    ['an open object by entry', { config: { a: 1 } }, { config: { b: 2 } }, { config: { a: 1, b: 2 } }],
  ])('merges %s', (_name, mine, theirs, expected) => {
    const live = apply(undefined, widget(mine), { of: Widget })
    const { spec } = apply(live, widget(theirs), { of: Widget, manager: 'bob' })
    expect(spec).toEqual(expected)
  })

  it('treats a plain list as one value', () => {
    const live = apply(undefined, widget({ order: ['a'] }), { of: Widget })
    const conflict = refusal(() => apply(live, widget({ order: ['b'] }), { of: Widget, manager: 'bob' }))
    expect(conflict.message).toContain('conflict with "alice": .spec.order')
  })

  it('gives an object that nobody tracked to before-first-apply', () => {
    const next = apply(configMap({ a: '1' }), configMap({ b: '2' }))
    expect(managersOf(next)).toEqual({
      alice: { 'f:data': { 'f:b': {} } },
      'before-first-apply': { 'f:data': { '.': {}, 'f:a': {} } },
    })
  })

  it('takes over what the same user applied on the client side, and keeps the annotation current', () => {
    const config = configMap({ a: '1' })
    const annotation = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(config)}\n` }
    const created = { ...config, metadata: { name: 'c', annotations: annotation } }
    const live = update(undefined, created, { manager: 'kubectl-client-side-apply' })
    const next = apply(live, configMap({ a: '2' }), { manager: 'kubectl' })
    expect(next.data).toEqual({ a: '2' })
    expect(next.metadata.annotations).toEqual({
      'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(configMap({ a: '2' }))}\n`,
    })
    const edited = update(live, { ...live, data: { a: '9' } }, { manager: 'kubectl-edit' })
    expect(refusal(() => apply(edited, configMap({ a: '2' }), { manager: 'kubectl' })).code).toBe(409)
  })

  it('owns status only through the status subresource', () => {
    const config = { ...widget({ size: 1 }), status: { ready: true } }
    const live = apply(undefined, config, { of: Widget })
    const next = apply(live, config, { of: Widget, manager: 'controller', subresource: 'status' })
    expect(managersOf(next)).toEqual({
      alice: { 'f:spec': { 'f:size': {} } },
      controller: { 'f:status': { 'f:ready': {} } },
    })
  })

  it.each<[string, ResourceDefinition, JsonObject, string]>([
    [
      'a field that does not exist',
      Pod,
      { ...pod(), spec: { containerz: [] } },
      '.spec.containerz: field not declared in schema',
    ],
    [
      'a list item without its key',
      Pod,
      pod({ image: 'a' }),
      '.spec.containers: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [
      'two items with one key',
      Pod,
      pod({ name: 'a' }, { name: 'a' }),
      '.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'managed fields',
      ConfigMap,
      { ...configMap({}), metadata: { name: 'c', managedFields: [{ manager: 'x' }] } },
      'metadata.managedFields must be nil',
    ],
  ])('refuses %s', (_name, of, config, message) => {
    const { code, message: text } = refusal(() => apply(undefined, config, { of }))
    expect(code).toBe(400)
    expect(text).toContain(message)
  })

  it('is idempotent, and gives the applier what it asked for', () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'))
    const step = fc.record({ manager: fc.constantFrom('alice', 'bob', 'carol'), data })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        let live: ApiObject | undefined
        for (const each of steps) {
          const config = configMap(each.data)
          const next = apply(live, config, { manager: each.manager, force: true })
          expect(next.data ?? {}).toMatchObject(each.data)
          expect(apply(next, config, { manager: each.manager, now: later })).toEqual(next)
          live = next
        }
        // When everybody has withdrawn, nothing is left.
        for (const manager of ['alice', 'bob', 'carol']) {
          live = apply(live, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }, { manager })
        }
        expect(live?.data).toBeUndefined()
        expect(live?.metadata.managedFields).toBeUndefined()
      }),
    )
  })
})

describe('applyConfiguration of lists', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
  const containers = names.map((chosen) => chosen.map((name) => ({ name, image: `${name}:1` })))

  it('gives each applier its items in its order, and keeps those of the others', () => {
    fc.assert(
      fc.property(containers, containers, (mine, theirs) => {
        const live = apply(undefined, pod(...mine), { of: Pod })
        const both = apply(live, pod(...theirs), { of: Pod, manager: 'bob' })
        const { containers: merged } = both.spec as { containers: readonly { name: string }[] }
        const order = merged.map(({ name }) => name)
        expect([...order].sort()).toEqual([...new Set([...mine, ...theirs].map(({ name }) => name))].sort())
        const wanted: readonly string[] = theirs.map(({ name }) => name)
        expect(order.filter((name) => wanted.includes(name))).toEqual(wanted)
        expect(apply(both, pod(...theirs), { of: Pod, manager: 'bob', now: later })).toEqual(both)
        // When the second one withdraws, the first one's items are left.
        const left = apply(
          both,
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
          { of: Pod, manager: 'bob' },
        )
        const kept = (left.spec as { containers?: readonly { name: string }[] } | undefined)?.containers ?? []
        expect(new Set(kept.map(({ name }) => name))).toEqual(new Set(mine.map(({ name }) => name)))
      }),
    )
  })
})

describe('updateManagedFields', () => {
  it('gives a creator everything that it set, and the lists and maps that it brought into being', () => {
    const object = update(
      undefined,
      {
        ...pod({ name: 'a', image: 'a', resources: {} }),
        metadata: { name: 'p', labels: { app: 'x' } },
      },
      { of: Pod },
    )
    expect(managersOf(object).bob).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': {
        'f:containers': { 'k:{"name":"a"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
      },
    })
  })

  it('moves a field to whoever changes it, and keeps the others where they are', () => {
    const live = update(undefined, configMap({ a: '1', b: '2' }), { manager: 'alice' })
    const next = update(live, { ...live, data: { a: '1', b: '3' } }, { now: later })
    expect(managersOf(next)).toEqual({
      alice: { 'f:data': { '.': {}, 'f:a': {} } },
      bob: { 'f:data': { 'f:b': {} } },
    })
    expect(next.metadata.managedFields?.map(({ time }) => time)).toEqual([
      '2026-01-01T00:00:00Z',
      '2026-01-01T01:00:00Z',
    ])
  })

  it('leaves everything as it is when nothing changes', () => {
    const live = update(undefined, configMap({ a: '1' }))
    expect(update(live, live, { now: later })).toEqual(live)
  })

  it('forgets a field that is removed, without naming who removed it', () => {
    const live = update(undefined, configMap({ a: '1', b: '2' }), { manager: 'alice' })
    const next = update(live, { ...live, data: { a: '1' } }, { now: later })
    expect(managersOf(next)).toEqual({ alice: { 'f:data': { '.': {}, 'f:a': {} } } })
  })

  it('keeps the stored managers when a client drops them, and honours those that it sends', () => {
    const live = update(undefined, configMap({ a: '1' }), { manager: 'alice' })
    expect(update(live, configMap({ a: '1' }))).toEqual(live)
    const renamed = live.metadata.managedFields?.map((entry) => ({ ...entry, manager: 'carol' })) ?? []
    const sent = { ...live, metadata: { ...live.metadata, managedFields: renamed } }
    expect(Object.keys(managersOf(update(live, sent)))).toEqual(['carol'])
  })

  it('stops tracking after a reset by one empty entry, until somebody applies', () => {
    const live = update(undefined, configMap({ a: '1' }), { manager: 'alice' })
    const reset = update(live, { ...live, metadata: { name: 'c', managedFields: [{}] } })
    expect(reset.metadata.managedFields).toBeUndefined()
    const changed = update(reset, { ...reset, data: { a: '2' } })
    expect(changed.metadata.managedFields).toBeUndefined()
    expect(Object.keys(managersOf(apply(changed, configMap({ b: '1' }))))).toEqual(['alice', 'before-first-apply'])
  })

  it('keeps writers of the status apart', () => {
    const live = update(undefined, widget({ size: 1 }), { of: Widget, manager: 'alice' })
    const next = update(live, { ...live, status: { ready: true } }, { of: Widget, subresource: 'status' })
    expect(next.metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource])).toEqual([
      ['alice', undefined],
      ['bob', 'status'],
    ])
  })

  it('never keeps more than ten updaters', () => {
    let live = update(undefined, configMap({ k0: '0' }), { manager: 'm0' })
    for (let index = 1; index <= 14; index += 1) {
      const now = new Date(first.getTime() + index * 1000)
      const data = { ...(live.data as JsonObject), [`k${index}`]: '0' }
      live = update(live, { ...live, data }, { manager: `m${index}`, now })
    }
    const names = live.metadata.managedFields?.map(({ manager }) => manager) ?? []
    expect(names).toHaveLength(10)
    expect(names).toContain('ancient-changes')
    expect(names).toContain('m14')
  })
})
