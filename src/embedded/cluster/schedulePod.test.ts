import { describe, expect, test } from 'vitest'
import type { Pod, PodSpec, Taint, Toleration } from '../../api/core.ts'
import { nanos } from '../../drain/whyNowhere.ts'
import type { SchedulerNode } from './fitNode.ts'
import { NodeUsage } from './nodeUsage.ts'
import { schedulePod } from './schedulePod.ts'

const amounts = (of: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(of).map(([name, amount]) => [name, nanos(amount)]))

function node(name: string, more: Partial<SchedulerNode> = {}): SchedulerNode {
  return {
    name,
    labels: {},
    taints: [],
    unschedulable: false,
    allocatable: amounts({ cpu: '4', memory: '8Gi', pods: '10' }),
    used: {},
    ...more,
  }
}

function pod(spec: Partial<PodSpec> = {}, requests: Readonly<Record<string, string>> = {}): Pod {
  return {
    metadata: { name: 'p', namespace: 'ns' },
    spec: { containers: [{ name: 'c', resources: { requests } }], ...spec },
  }
}

const taint = (key: string, effect: Taint['effect'] = 'NoSchedule', value?: string): Taint => ({
  key,
  effect,
  ...(value !== undefined && { value }),
})
const tolerating = (toleration: Toleration) => pod({ tolerations: [toleration] })
const nodeAffinity = (expression: object) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [expression] } } },
})

describe('schedulePod binds', () => {
  const rows: [string, Pod, SchedulerNode[], string][] = [
    ['to the node with the least load', pod(), [node('a', { used: amounts({ cpu: '2' }) }), node('b')], 'b'],
    ['to the first by name among equals', pod(), [node('b'), node('a')], 'a'],
    [
      'to the node that its selector names',
      pod({ nodeSelector: { disk: 'fast' } }),
      [node('a'), node('b', { labels: { disk: 'fast' } })],
      'b',
    ],
    [
      'to the node that its affinity names by field',
      pod(nodeAffinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b'] }] })),
      [node('a'), node('b')],
      'b',
    ],
    [
      'past a taint that it tolerates',
      tolerating({ key: 'k', operator: 'Exists' }),
      [node('a', { taints: [taint('k', 'NoSchedule', 'v')] })],
      'a',
    ],
    [
      'to a cordoned node when it tolerates that',
      tolerating({ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }),
      [node('a', { unschedulable: true, taints: [taint('node.kubernetes.io/unschedulable')] })],
      'a',
    ],
    [
      'to a node that should be avoided only when there is no other',
      pod(),
      [node('a', { taints: [taint('k', 'PreferNoSchedule')] }), node('b', { used: amounts({ cpu: '3' }) })],
      'b',
    ],
    [
      'to a node that is avoided rather than to none',
      pod(),
      [node('a', { taints: [taint('k', 'PreferNoSchedule')] })],
      'a',
    ],
    ['where it fits exactly', pod({}, { cpu: '4' }), [node('a')], 'a'],
  ]
  test.each(rows)('%s', (_, subject, nodes, expected) => {
    expect(schedulePod(subject, nodes)).toEqual({ kind: 'bind', node: expected })
  })
})

describe('schedulePod says why there is no place', () => {
  const rows: [string, Pod, SchedulerNode[], string][] = [
    ['without nodes', pod(), [], 'no nodes available to schedule pods'],
    [
      'by reason, with counts',
      pod({}, { cpu: '5' }),
      [
        node('a', { unschedulable: true }),
        node('b', { unschedulable: true }),
        node('c', { taints: [taint('k')] }),
        node('d'),
      ],
      '0/4 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {k: }, 2 node(s) were unschedulable.',
    ],
    [
      'by selector',
      pod({ nodeSelector: { disk: 'fast' } }),
      [node('a')],
      "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    ],
    [
      'by every resource that is short',
      pod({}, { cpu: '5', memory: '9Gi' }),
      [node('a')],
      '0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.',
    ],
    ['by an unknown resource', pod({}, { gpu: '1' }), [node('a')], '0/1 nodes are available: 1 Insufficient gpu.'],
    [
      'by the number of pods',
      pod(),
      [node('a', { used: amounts({ pods: '10' }) })],
      '0/1 nodes are available: 1 Too many pods.',
    ],
    [
      'by a taint with another value',
      tolerating({ key: 'k', value: 'x' }),
      [node('a', { taints: [taint('k', 'NoExecute', 'v')] })],
      '0/1 nodes are available: 1 node(s) had untolerated taint {k: v}.',
    ],
  ]
  test.each(rows)('%s', (_, subject, nodes, message) => {
    expect(schedulePod(subject, nodes)).toEqual({ kind: 'unschedulable', message })
  })
})

test('NodeUsage counts a pod once, from its binding until it ends', () => {
  const usage = new NodeUsage()
  const subject = pod({}, { cpu: '500m' })
  const placed: Pod = { ...subject, spec: { containers: [], ...subject.spec, nodeName: 'a' } }
  usage.set(subject, 'a')
  usage.set(placed)
  usage.set({ ...placed, metadata: { ...placed.metadata, name: 'q' } })
  expect(usage.on('a')).toEqual(amounts({ cpu: '1', pods: '2' }))
  usage.set({ ...placed, status: { phase: 'Succeeded' } })
  usage.remove({ ...placed, metadata: { ...placed.metadata, name: 'q' } })
  expect(usage.on('a')).toEqual(amounts({ cpu: '0', pods: '0' }))
})
