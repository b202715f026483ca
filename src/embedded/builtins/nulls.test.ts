import { describe, expect, it } from 'vitest'
import { withEmptyStatus } from './emptyStatus.ts'
import { withoutNulls } from './nulls.ts'
import { Pod } from './podSchemas.ts'
import { builtinResources } from './resources.ts'

describe('withoutNulls', () => {
  it('reads null as absent, except where null is a value', () => {
    const pod = {
      metadata: { name: 'a', labels: null, creationTimestamp: null },
      spec: {
        nodeSelector: { a: null },
        containers: [{ name: 'a', env: null, ports: [{ containerPort: 1, protocol: null }] }],
      },
    }
    expect(withoutNulls(pod, Pod)).toEqual({
      metadata: { name: 'a', creationTimestamp: null },
      spec: { nodeSelector: {}, containers: [{ name: 'a', ports: [{ containerPort: 1 }] }] },
    })
  })

  it('returns an object without nulls as it is', () => {
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a' }] } }
    expect(withoutNulls(pod, Pod)).toBe(pod)
  })
})

describe('withEmptyStatus', () => {
  const created = (kind: string) => {
    const resource = builtinResources.find((each) => each.kind === kind)
    const object = { apiVersion: 'v1', kind, metadata: { name: 'x', uid: 'u' }, spec: {} }
    return resource?.hooks?.prepareForCreate?.(object, { now: new Date(0) }).status
  }
  it.each<[string, object]>([
    ['Deployment', {}],
    ['ReplicaSet', { replicas: 0 }],
    ['PodDisruptionBudget', { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }],
    ['Pod', { phase: 'Pending', qosClass: 'BestEffort' }],
  ])('gives a new %s a status', (kind, status) => {
    expect(created(kind)).toEqual(status)
  })

  it('leaves kinds without a status alone', () => {
    const configMap = builtinResources.find((each) => each.kind === 'ConfigMap')
    expect(configMap && withEmptyStatus(configMap)).toBe(configMap)
  })
})
