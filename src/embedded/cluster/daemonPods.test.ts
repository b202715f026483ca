import { describe, expect, test } from 'vitest'
import type { DaemonSet } from '../../api/apps.ts'
import type { Node, Pod, PodSpec, Taint } from '../../api/core.ts'
import { planDaemonPods, podSpecFor, targetNodeOf } from './daemonPods.ts'

const node = (name: string, taints: readonly Taint[] = [], labels: Readonly<Record<string, string>> = {}): Node => ({
  metadata: { name, labels },
  spec: { taints },
})
const set = (spec: Partial<PodSpec> = {}, updateType?: string): DaemonSet => ({
  metadata: { name: 'd' },
  spec: {
    selector: {},
    template: { spec: { containers: [], ...spec } },
    ...(updateType && { updateStrategy: { type: updateType } }),
  },
})
const pod = (name: string, nodeName: string, labels: Readonly<Record<string, string>> = {}): Pod => ({
  metadata: { name, labels },
  spec: { containers: [], nodeName },
})
const noSchedule: Taint = { key: 'k', effect: 'NoSchedule' }
const noExecute: Taint = { key: 'k', effect: 'NoExecute' }
const unready = (name: string, nodeName: string) => pod(name, nodeName, { unready: '' })
const old = (name: string, nodeName: string) => pod(name, nodeName, { old: '' })
const rules = {
  isCurrent: ({ metadata }: Pod) => metadata.labels?.old === undefined,
  isReady: ({ metadata }: Pod) => metadata.labels?.unready === undefined,
  maxUnavailable: 1,
}

describe('planDaemonPods', () => {
  const rows: [string, DaemonSet, Node[], Pod[], string[], string[]][] = [
    ['creates what is missing', set(), [node('a'), node('b')], [pod('p', 'a')], ['b'], []],
    [
      'leaves out nodes that the template does not select',
      set({ nodeSelector: { x: 'y' } }),
      [node('a'), node('b', [], { x: 'y' })],
      [],
      ['b'],
      [],
    ],
    [
      'leaves out nodes with a taint that it does not tolerate',
      set(),
      [node('a', [noSchedule]), node('b', [noExecute])],
      [],
      [],
      [],
    ],
    [
      'goes to nodes with a taint that it tolerates',
      set({ tolerations: [{ operator: 'Exists' }] }),
      [node('a', [noSchedule]), node('b', [noExecute])],
      [],
      ['a', 'b'],
      [],
    ],
    [
      'goes to nodes that are cordoned or unreachable',
      set(),
      [
        node('a', [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }]),
        node('b', [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }]),
      ],
      [],
      ['a', 'b'],
      [],
    ],
    [
      'keeps a pod on a node that has become closed to new ones',
      set(),
      [node('a', [noSchedule])],
      [pod('p', 'a')],
      [],
      [],
    ],
    [
      'removes a pod from a node that has become closed to all',
      set(),
      [node('a', [noExecute])],
      [pod('p', 'a')],
      [],
      ['p'],
    ],
    [
      'removes a second pod and one without a node',
      set(),
      [node('a')],
      [pod('p', 'a'), pod('q', 'a'), pod('r', 'gone')],
      [],
      ['q', 'r'],
    ],
    ['replaces old pods within the budget', set(), [node('a'), node('b')], [old('p', 'a'), old('q', 'b')], [], ['p']],
    [
      'replaces no ready pod while another is down',
      set(),
      [node('a'), node('b')],
      [old('p', 'a'), unready('q', 'b')],
      [],
      [],
    ],
    ['replaces no pod by itself when it is told so', set({}, 'OnDelete'), [node('a')], [old('p', 'a')], [], []],
  ]
  test.each(rows)('%s', (_, subject, nodes, pods, create, remove) => {
    const plan = planDaemonPods(subject, nodes, pods, rules)
    expect([plan.create, plan.delete.map(({ metadata }) => metadata.name)]).toEqual([create, remove])
  })
})

test('podSpecFor names the node, and targetNodeOf finds it before the pod is bound', () => {
  expect(targetNodeOf({ metadata: {}, spec: podSpecFor('a', undefined) })).toBe('a')
})
