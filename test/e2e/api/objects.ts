import assert from 'node:assert/strict'
import { until } from '../harness.ts'
import { apply, configMap, configMaps, merge, type RawApi } from './rawApi.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const gadgets = '/apis/proof.example.com/v1/namespaces/default/gadgets'

/** Writers that compete, objects that hold each other, dry runs, and kinds that come, change and go. */
export const objects = (api: RawApi): Readonly<Record<string, () => Promise<void>>> => ({
  '100 clients add one to a counter and none is lost': async () => {
    await api.ok('POST', configMaps, configMap('counter', { count: '0' }))
    let conflicts = 0
    const increment = async (): Promise<void> => {
      for (;;) {
        const found = await api.ok('GET', `${configMaps}/counter`)
        const next = { ...found, data: { count: String(Number(found.data.count) + 1) } }
        const { status } = await api.call('PUT', `${configMaps}/counter`, next)
        if (status === 200) return
        assert.equal(status, 409)
        conflicts += 1
      }
    }
    await Promise.all(Array.from({ length: 100 }, increment))
    assert.equal((await api.ok('GET', `${configMaps}/counter`)).data.count, '100')
    assert.ok(conflicts > 0, 'nobody competed')
  },
  'of many creators of a name one wins, and generated names never meet': async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => api.call('POST', configMaps, configMap('race'))))
    assert.deepEqual(countOf(made.map(({ status }) => status)), { 201: 1, 409: 49 })
    const generated = await Promise.all(
      Array.from({ length: 300 }, () => api.ok('POST', configMaps, { metadata: { generateName: 'gen-' } })),
    )
    assert.equal(new Set(generated.map(({ metadata }) => metadata.name)).size, 300)
    await api.ok('DELETE', `${configMaps}?labelSelector=!color`)
  },
  'appliers that want different values conflict, and the conflict says with whom': async () => {
    const path = (manager: string) => `${configMaps}/applied?fieldManager=${manager}`
    await api.ok('PATCH', path('one'), configMap('applied', { a: '1' }), apply)
    await api.ok('PATCH', path('two'), configMap('applied', { b: '2' }), apply)
    const refused = await api.call('PATCH', path('two'), configMap('applied', { a: '2', b: '2' }), apply)
    assert.equal(refused.status, 409)
    assert.equal(refused.body.message, 'Apply failed with 1 conflict: conflict with "one": .data.a')
    await api.ok('PATCH', `${path('two')}&force=true`, configMap('applied', { a: '2', b: '2' }), apply)
    const { data } = await api.ok('PATCH', path('one'), configMap('applied'), apply)
    assert.deepEqual(data, { a: '2', b: '2' })
  },
  'owners take their dependents along, wait for them, or leave them, also in circles': async () => {
    const owned = (owner: { metadata: { name: string; uid: string } }) => ({
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: owner.metadata.name,
          uid: owner.metadata.uid,
          blockOwnerDeletion: true,
        },
      ],
    })
    const gone = async (name: string) => (await api.call('GET', `${configMaps}/${name}`)).status === 404
    for (const policy of ['Background', 'Foreground', 'Orphan']) {
      const owner = await api.ok('POST', configMaps, configMap('owner'))
      await api.ok(
        'POST',
        configMaps,
        configMap('child', {}, { ...owned(owner), finalizers: ['proof.example.com/hold'] }),
      )
      await api.ok('DELETE', `${configMaps}/owner?propagationPolicy=${policy}`)
      const waits = policy === 'Foreground'
      if (!waits) await until(() => gone('owner'), `the owner to go (${policy})`)
      else
        await until(
          async () => Boolean((await api.ok('GET', `${configMaps}/child`)).metadata.deletionTimestamp),
          'the child to be deleted',
        )
      assert.equal(await gone('owner'), !waits, policy)
      await api.ok('PATCH', `${configMaps}/child`, { metadata: { finalizers: null } }, merge)
      if (policy === 'Orphan') {
        const child = await api.ok('GET', `${configMaps}/child`)
        assert.equal(child.metadata.ownerReferences, undefined)
        await api.ok('DELETE', `${configMaps}/child`)
      }
      await until(async () => (await gone('owner')) && (await gone('child')), `everything to go (${policy})`)
    }
    const first = await api.ok('POST', configMaps, configMap('ring-a'))
    const second = await api.ok('POST', configMaps, configMap('ring-b', {}, owned(first)))
    await api.ok('PATCH', `${configMaps}/ring-a`, { metadata: owned(second) }, merge)
    await api.ok('DELETE', `${configMaps}/ring-a?propagationPolicy=Foreground`)
    await until(async () => (await gone('ring-a')) && (await gone('ring-b')), 'the ring to go')
  },
  'a namespace goes when the last finalizer in it has gone, and takes nothing new meanwhile': async () => {
    const inside = '/api/v1/namespaces/leaving/configmaps'
    await api.ok('POST', '/api/v1/namespaces', { metadata: { name: 'leaving' } })
    await api.ok('POST', inside, configMap('held', {}, { finalizers: ['proof.example.com/hold'] }))
    await api.ok('POST', inside, configMap('free'))
    await api.ok('DELETE', '/api/v1/namespaces/leaving')
    await until(async () => (await api.call('GET', `${inside}/free`)).status === 404, 'the free object to go')
    assert.equal((await api.ok('GET', '/api/v1/namespaces/leaving')).status.phase, 'Terminating')
    const late = await api.call('POST', inside, configMap('late'))
    assert.deepEqual([late.status, late.body.details.causes[0].reason], [403, 'NamespaceTerminating'])
    await api.ok('PATCH', `${inside}/held`, { metadata: { finalizers: null } }, merge)
    await until(async () => (await api.call('GET', '/api/v1/namespaces/leaving')).status === 404, 'the namespace to go')
  },
  'a collection is deleted by selector and precondition': async () => {
    for (const color of ['red', 'blue']) {
      await api.ok('POST', configMaps, configMap(`sel-${color}`, {}, { labels: { sel: color } }))
    }
    await api.ok('DELETE', `${configMaps}?labelSelector=sel%3Dred`)
    const left = await api.ok('GET', `${configMaps}?labelSelector=sel`)
    assert.deepEqual(
      left.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['sel-blue'],
    )
    const wrong = { preconditions: { resourceVersion: '1' } }
    assert.equal((await api.call('DELETE', `${configMaps}?labelSelector=sel`, wrong)).status, 409)
    await api.ok('DELETE', `${configMaps}?labelSelector=sel`, {
      preconditions: { resourceVersion: left.items[0].metadata.resourceVersion },
    })
  },
  'a dry run of any verb changes nothing, not even a resourceVersion': async () => {
    await api.ok('POST', configMaps, configMap('dry', { a: '1' }))
    const state = async () => (await api.ok('GET', configMaps)).items.map((item: object) => JSON.stringify(item))
    const before = await state()
    const dry = async (method: string, path: string, body?: unknown, options = {}) => {
      const separator = path.includes('?') ? '&' : '?'
      await api.ok(method, `${path}${separator}dryRun=All`, body, options)
    }
    await dry('POST', configMaps, configMap('dry-new'))
    await dry('POST', configMaps, { metadata: { generateName: 'dry-' } })
    await dry('PUT', `${configMaps}/dry`, configMap('dry', { a: '2' }))
    await dry('PATCH', `${configMaps}/dry`, { data: { a: '3' } }, merge)
    await dry('PATCH', `${configMaps}/dry?fieldManager=x&force=true`, configMap('dry', { a: '4' }), apply)
    await dry('PATCH', `${configMaps}/dry-applied?fieldManager=x`, configMap('dry-applied'), apply)
    await dry('DELETE', `${configMaps}/dry`)
    await dry('DELETE', configMaps)
    assert.deepEqual(await state(), before)
  },
  'a kind comes, is changed within its rules, prunes, defaults, prints, and goes with its objects': async () => {
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { size: { type: 'integer', maximum: 9 } },
          'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'gadgets only grow' }],
        },
      },
    }
    const version = (openAPIV3Schema: object, more: object = {}) => ({
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema },
      additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      ...more,
    })
    const definition = (versions: readonly object[]) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.proof.example.com' },
      spec: { group: 'proof.example.com', names: { plural: 'gadgets', kind: 'Gadget' }, scope: 'Namespaced', versions },
    })
    const loose = { type: 'object', properties: { spec: { type: 'object', properties: { size: {} } } } }
    const refused = await api.call('POST', definitions, definition([version(loose)]))
    assert.deepEqual(
      refused.body.details.causes.map((cause: { field: string }) => cause.field),
      ['spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[size].type'],
    )
    const path = `${definitions}/gadgets.proof.example.com`
    await api.ok('POST', definitions, definition([version(schema)]))
    const gadget = {
      apiVersion: 'proof.example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g' },
      spec: { size: 3, odd: 1 },
    }
    assert.deepEqual((await api.ok('POST', gadgets, gadget)).spec, { size: 3 })
    assert.match(
      (await api.call('PATCH', `${gadgets}/g`, { spec: { size: 2 } }, merge)).body.message,
      /gadgets only grow/,
    )
    assert.equal((await api.call('PATCH', `${gadgets}/g`, { spec: { size: 10 } }, merge)).status, 422)
    const table = await api.ok('GET', gadgets, undefined, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    assert.deepEqual(table.rows[0].cells, ['g', 3])
    assert.match(
      (await api.call('PATCH', path, { spec: { scope: 'Cluster' } }, merge)).body.message,
      /field is immutable/,
    )
    const colored = structuredClone(schema)
    Object.assign(colored.properties.spec.properties, { color: { type: 'string', default: 'red' } })
    await api.ok(
      'PATCH',
      path,
      { spec: { versions: [version(colored, { storage: false }), version(colored, { name: 'v2' })] } },
      merge,
    )
    assert.deepEqual((await api.ok('GET', `${gadgets}/g`)).spec, { size: 3, color: 'red' })
    assert.equal((await api.ok('GET', `${gadgets.replace('/v1/', '/v2/')}/g`)).apiVersion, 'proof.example.com/v2')
    assert.match(
      (await api.call('PATCH', path, { spec: { versions: [version(colored, { name: 'v2' })] } }, merge)).body.message,
      /storedVersions/,
    )
    await api.ok('PATCH', `${gadgets}/g`, { metadata: { finalizers: ['proof.example.com/hold'] } }, merge)
    await api.ok('DELETE', path)
    await until(
      async () => Boolean((await api.ok('GET', `${gadgets}/g`)).metadata.deletionTimestamp),
      'the object to be deleted',
    )
    assert.equal((await api.call('POST', gadgets, { ...gadget, metadata: { name: 'late' } })).status, 405)
    await api.ok('PATCH', `${gadgets}/g`, { metadata: { finalizers: null } }, merge)
    await until(async () => (await api.call('GET', path)).status === 404, 'the definition to go')
    assert.equal((await api.call('GET', gadgets)).status, 404)
  },
})

function countOf(values: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
