import fc from 'fast-check'
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
  await api.call('POST', paths.definitions, widgetDefinition())
})
afterEach(() => api.close())

const bodies: readonly (readonly [string, object])[] = [
  [
    paths.configMaps,
    configMap('a', { x: '1' }, { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e.com/f'] }),
  ],
  [
    paths.pods,
    pod('a', { nodeName: 'n' }, { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }] }),
  ],
  [paths.nodes, { ...node('a'), status: { conditions: [{ type: 'Ready', status: 'True' }], capacity: { cpu: '4' } } }],
  [paths.widgets, widget('a', { size: 1 })],
  [
    paths.definitions,
    {
      ...widgetDefinition({ type: 'object', properties: { size: { type: 'integer' } } }),
      metadata: { name: 'widgets.example.com' },
    },
  ],
  [
    paths.budgets,
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'a' },
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    },
  ],
]

/** One member of the body, at any depth, replaced by a value of a wrong kind. */
const wrong = fc.oneof(
  fc.constantFrom(null, 0, -1, 1e21, '', 'x', true, [], {}, [null], [1], { a: 1 }, [[]], { a: null }),
  fc.jsonValue({ maxDepth: 2 }),
)
const mutation = fc.record({ which: fc.nat(), place: fc.nat(), value: wrong })

function placesIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Array.isArray(value)
    ? value.map((item, index) => placesIn(item, [...path, index]))
    : Object.entries(value).map(([key, item]) => placesIn(item, [...path, key]))
  return [path, ...inner.flat()]
}

function replaced(value: unknown, [first, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (first === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? replaced(item, rest, by) : item))
  return { ...(value as object), [first]: replaced((value as Record<string, unknown>)[first], rest, by) }
}

function mutated({
  which,
  place,
  value,
}: {
  which: number
  place: number
  value: unknown
}): readonly [string, unknown] {
  const [url, body] = bodies[which % bodies.length] ?? ['', {}]
  const places = placesIn(body).slice(1)
  return [url, replaced(body, places[place % places.length] ?? [], value)]
}

const patchTypes = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
]

describe('hostile bodies', () => {
  test('of creates are answered, never a fault of the server', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (given) => {
        const [url, body] = mutated(given)
        const { status, body: answer } = await api.call('POST', `${url}?dryRun=All`, body)
        expect([status, status < 500 ? [] : api.faults], JSON.stringify([body, answer])).toEqual([status, []])
      }),
      { numRuns: 600 },
    )
  })

  test('of patches and updates are answered, never a fault of the server', async () => {
    for (const [url, body] of bodies) await api.call('POST', url, body)
    await fc.assert(
      fc.asyncProperty(mutation, fc.constantFrom(...patchTypes, 'PUT'), async (given, type) => {
        const [url, body] = mutated(given)
        const name = url === paths.definitions ? 'widgets.example.com' : 'a'
        const method = type === 'PUT' ? 'PUT' : 'PATCH'
        const headers = { 'content-type': type === 'PUT' ? 'application/json' : type }
        const { status, body: answer } = await api.call(method, `${url}/${name}?dryRun=All&fieldManager=me`, body, {
          headers,
        })
        expect([status, status < 500 ? [] : api.faults], JSON.stringify([type, body, answer])).toEqual([status, []])
      }),
      { numRuns: 600 },
    )
  })

  test('of any shape leave queries and paths answered, too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.constantFrom(
          'labelSelector',
          'fieldSelector',
          'continue',
          'resourceVersion',
          'limit',
          'dryRun',
          'fieldManager',
        ),
        async (text, name) => {
          const { status } = await api.call('GET', `${paths.configMaps}?${new URLSearchParams({ [name]: text })}`)
          expect([200, 400, 410, 422, 504]).toContain(status)
          const { status: named } = await api.call('GET', `${paths.configMaps}/${encodeURIComponent(text)}`)
          expect([200, 404]).toContain(named)
        },
      ),
      { numRuns: 300 },
    )
    expect(api.faults).toEqual([])
  })

  test('too deep for one writer do not fail the others', async () => {
    const nest = (open: string, close: string) => `{"a":${open.repeat(20_000)}1${close.repeat(20_000)}}`
    const deep = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"deep"},"spec":${nest('{"a":', '}')}}`
    const merge = { headers: { 'content-type': 'application/merge-patch+json' } }
    await api.call('POST', paths.widgets, widget('b'))
    const answers = await Promise.all([
      api.call('POST', paths.widgets, deep),
      api.call('POST', paths.configMaps, configMap('innocent')),
      api.call('PATCH', `${paths.widgets}/b`, `{"spec":${nest('[', ']')}}`, merge),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 201, 400])
    expect(api.faults).toEqual([])
  })

  test('above the size of a storable object are refused, and small ones in the same batch are not', async () => {
    const answers = await Promise.all([
      api.call('POST', paths.widgets, widget('big', { text: 'x'.repeat(1.6 * 1024 * 1024) })),
      api.call('POST', paths.widgets, widget('small')),
    ])
    expect(answers.map(({ status }) => status)).toEqual([413, 201])
    expect(answers[0]?.body).toMatchObject({
      reason: 'RequestEntityTooLarge',
      message: expect.stringContaining('etcdserver: request is too large'),
    })
    expect(api.faults).toEqual([])
  })
})
