import { describe, expect, test } from 'vitest'
import type { Pod } from '../../api/core.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import { decideEviction } from './eviction.ts'

const now = '2026-01-01T00:00:00Z'
const violates = "Cannot evict pod as it would violate the pod's disruption budget."

const pod = ({ phase = 'Running', ready = true, terminating = false } = {}): Pod => ({
  metadata: { name: 'web-0', labels: { app: 'web' }, ...(terminating ? { deletionTimestamp: now } : {}) },
  status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] } as NonNullable<Pod['status']>,
})

const budget = ({
  name = 'web',
  allowed = 0,
  healthy = 2,
  desired = 2,
  observed = 1,
  selector = { matchLabels: { app: 'web' } } as object | null,
  policy = '',
} = {}): PodDisruptionBudget =>
  ({
    metadata: { name, generation: 1 },
    spec: { selector, ...(policy ? { unhealthyPodEvictionPolicy: policy } : {}) },
    status: {
      observedGeneration: observed,
      disruptionsAllowed: allowed,
      currentHealthy: healthy,
      desiredHealthy: desired,
      expectedPods: 3,
    },
  }) as PodDisruptionBudget

describe('decideEviction', () => {
  test.each([
    ['no budget in the namespace', pod(), []],
    ['a budget for other pods', pod(), [budget({ selector: { matchLabels: { app: 'db' } } })]],
    ['a budget without a selector', pod(), [budget({ selector: null })]],
    ['a pod that has succeeded', pod({ phase: 'Succeeded' }), [budget()]],
    ['a pod that has failed', pod({ phase: 'Failed' }), [budget()]],
    ['a pod that has not started', pod({ phase: 'Pending' }), [budget()]],
    ['a pod that is going already', pod({ terminating: true }), [budget()]],
    ['a pod that is not ready while enough others are', pod({ ready: false }), [budget({ healthy: 2, desired: 2 })]],
    [
      'a pod that is not ready under AlwaysAllow',
      pod({ ready: false }),
      [budget({ healthy: 0, policy: 'AlwaysAllow' })],
    ],
  ])('deletes with %s', (_situation, subject, budgets) => {
    expect(decideEviction(subject, budgets, now)).toEqual({ kind: 'delete' })
  })

  test('spends one disruption and remembers the pod', () => {
    const decision = decideEviction(pod(), [budget({ allowed: 2 })], now)
    expect(decision).toMatchObject({
      kind: 'spend',
      status: { disruptionsAllowed: 1, disruptedPods: { 'web-0': now } },
    })
  })

  test('refuses when no disruption is allowed, and says how many pods the budget needs and has', () => {
    expect(decideEviction(pod(), [budget({ healthy: 2, desired: 3 })], now)).toEqual({
      kind: 'refuse',
      message: violates,
      cause: 'The disruption budget web needs 3 healthy pods and has 2 currently',
    })
  })

  test('refuses a pod that is not ready when the healthy ones do not suffice', () => {
    expect(decideEviction(pod({ ready: false }), [budget({ healthy: 1, desired: 2 })], now).kind).toBe('refuse')
  })

  test('asks to come again while the numbers belong to an older spec', () => {
    expect(decideEviction(pod(), [budget({ allowed: 5, observed: 0 })], now)).toEqual({
      kind: 'refuse',
      message: violates,
      cause: 'The disruption budget web is still being processed by the server.',
      retryAfterSeconds: 10,
    })
  })

  test('treats an empty selector as all pods', () => {
    expect(decideEviction(pod(), [budget({ selector: {} })], now).kind).toBe('refuse')
  })

  test('fails with two budgets for one pod', () => {
    expect(decideEviction(pod(), [budget(), budget({ name: 'second' })], now)).toEqual({
      kind: 'fault',
      message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    })
  })
})
