import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import { Pod } from '../builtins/podSchemas.ts'
import { Deployment } from '../builtins/workloadSchemas.ts'
import type { OpenApiSchema } from '../server/resource.ts'
import { StatusError } from '../server/statusError.ts'
import { applyStrategicMerge } from './strategicMerge.ts'

const podSpec = (spec: JsonObject) => ({ spec })
const containers = (...items: readonly JsonObject[]) => podSpec({ containers: items })

describe('applyStrategicMerge', () => {
  // The rows follow the public documentation of strategic merge patch, one directive or list kind each.
  it.each<[string, OpenApiSchema, JsonObject, JsonObject, JsonObject]>([
    [
      'adds a container to a list that is merged by name',
      Pod,
      containers({ name: 'a', image: 'nginx' }),
      containers({ name: 'b', image: 'redis' }),
      containers({ name: 'a', image: 'nginx' }, { name: 'b', image: 'redis' }),
    ],
    [
      'changes one field of the container with the same name',
      Pod,
      containers({ name: 'a', image: 'nginx:1', args: ['x'] }),
      containers({ name: 'a', image: 'nginx:2' }),
      containers({ name: 'a', image: 'nginx:2', args: ['x'] }),
    ],
    [
      'replaces a list that has no merge strategy',
      Pod,
      podSpec({ tolerations: [{ key: 'a' }] }),
      podSpec({ tolerations: [{ key: 'b' }] }),
      podSpec({ tolerations: [{ key: 'b' }] }),
    ],
    [
      'removes a field by null',
      Pod,
      podSpec({ nodeName: 'n', hostname: 'h' }),
      podSpec({ nodeName: null }),
      podSpec({ hostname: 'h' }),
    ],
    [
      'removes a container by $patch: delete',
      Pod,
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'a', $patch: 'delete' }),
      containers({ name: 'b' }),
    ],
    [
      'replaces a list by $patch: replace',
      Pod,
      containers({ name: 'a' }, { name: 'b' }),
      containers({ name: 'c' }, { $patch: 'replace' }),
      containers({ name: 'c' }),
    ],
    [
      'replaces an object by $patch: replace',
      Pod,
      podSpec({ securityContext: { runAsUser: 1, fsGroup: 2 } }),
      podSpec({ securityContext: { $patch: 'replace', runAsUser: 3 } }),
      podSpec({ securityContext: { runAsUser: 3 } }),
    ],
    [
      'empties an object by $patch: delete',
      Pod,
      podSpec({ securityContext: { runAsUser: 1 } }),
      podSpec({ securityContext: { $patch: 'delete' } }),
      podSpec({ securityContext: {} }),
    ],
    [
      'merges a set of scalars by value',
      Pod,
      { metadata: { finalizers: ['a', 'b'] } },
      { metadata: { finalizers: ['b', 'c'] } },
      { metadata: { finalizers: ['a', 'b', 'c'] } },
    ],
    [
      'deletes scalars by $deleteFromPrimitiveList',
      Pod,
      { metadata: { finalizers: ['a', 'b', 'c'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['b'] } },
      { metadata: { finalizers: ['a', 'c'] } },
    ],
    [
      'clears the other members of a union by $retainKeys',
      Deployment,
      { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      { spec: { strategy: { type: 'Recreate' } } },
    ],
    [
      'swaps the source of a volume by $retainKeys',
      Pod,
      podSpec({ volumes: [{ name: 'v', emptyDir: {} }] }),
      podSpec({ volumes: [{ $retainKeys: ['name', 'hostPath'], name: 'v', hostPath: { path: '/x' } }] }),
      podSpec({ volumes: [{ name: 'v', hostPath: { path: '/x' } }] }),
    ],
    [
      'orders items by $setElementOrder and keeps server items beside their neighbours',
      Pod,
      containers({ name: 'a' }, { name: 'server' }, { name: 'b' }),
      podSpec({
        '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
        containers: [{ name: 'c' }],
      }),
      containers({ name: 'c' }, { name: 'a' }, { name: 'server' }, { name: 'b' }),
    ],
    [
      'takes a new object without nulls and directives',
      Pod,
      {},
      podSpec({ securityContext: { runAsUser: null, fsGroup: 1 }, volumes: [{ name: 'v', $retainKeys: ['name'] }] }),
      podSpec({ securityContext: { fsGroup: 1 }, volumes: [{ name: 'v' }] }),
    ],
    [
      'merges ports by containerPort',
      Pod,
      containers({ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP' }] }),
      containers({ name: 'a', ports: [{ containerPort: 80, name: 'http' }] }),
      containers({ name: 'a', ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] }),
    ],
  ])('%s', (_name, schema, current, patch, expected) => {
    expect(applyStrategicMerge(current, patch, schema)).toEqual(expected)
  })

  it.each<[string, JsonObject]>([
    ['an unknown directive', podSpec({ $patch: 'move' })],
    ['an item without its merge key', containers({ image: 'a' })],
    ['a field that $retainKeys leaves out', podSpec({ $retainKeys: ['a'], b: 1 })],
  ])('refuses %s as a bad request', (_name, patch) => {
    expect(() => applyStrategicMerge({ spec: { containers: [] } }, patch, Pod)).toThrow(StatusError)
  })

  it('leads from any list of containers to any other by the patch that kubectl would compute', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
    const list = names.chain((chosen) =>
      fc.tuple(...chosen.map((name) => fc.record({ name: fc.constant(name), image: fc.constantFrom('1', '2') }))),
    )
    fc.assert(
      fc.property(list, list, (before, after) => {
        const patch = podSpec(diffContainers(before, after))
        expect(applyStrategicMerge(podSpec({ containers: before }), patch, Pod)).toEqual(podSpec({ containers: after }))
      }),
    )
  })

  it('changes nothing with an empty patch, and nothing more the second time', () => {
    const value = fc.record({ image: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) }, { requiredKeys: [] })
    fc.assert(
      fc.property(value, value, (current, change) => {
        const target = containers({ name: 'a', ...current })
        const patch = containers({ name: 'a', ...change })
        const once = applyStrategicMerge(target, patch, Pod)
        expect(applyStrategicMerge(target, {}, Pod)).toEqual(target)
        expect(applyStrategicMerge(once, patch, Pod)).toEqual(once)
      }),
    )
  })
})

/** What a client sends: changed items, deletions, and the order that it wants. */
function diffContainers(before: readonly JsonObject[], after: readonly JsonObject[]): JsonObject {
  const changed = after.filter((item) => {
    const old = before.find((each) => each.name === item.name)
    return !isObject(old) || old.image !== item.image
  })
  const gone = before.filter((item) => !after.some((each) => each.name === item.name))
  return {
    '$setElementOrder/containers': after.map(({ name }) => ({ name })),
    containers: [...changed, ...gone.map(({ name }) => ({ name, $patch: 'delete' }))],
  }
}
