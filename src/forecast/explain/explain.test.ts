import { describe, expect, it } from 'vitest'
import { ago, aReadyPod, codes, drainOf, found, next, old, prefix, report } from '../../../test/unit/explainBuilders.ts'
import { aNode } from '../../../test/unit/rolloutBuilders.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'

describe('explain says nothing', () => {
  it.each<[string, Partial<ClusterSnapshot>]>([
    ['of a cluster in which all is well', { nodes: [aNode('n1', { current: next })] }],
    [
      'of a node that has just been told to move',
      { nodes: [aNode('n1', { current: old, desired: next, state: 'Done' })] },
    ],
    ['of a drain that goes well', { nodes: [aNode('n1', drainOf(1))], pods: [aReadyPod('web-0')] }],
    [
      'of a node that reboots within its time',
      {
        nodes: [
          aNode('n1', {
            current: old,
            desired: next,
            state: 'Working',
            ready: 'False',
            annotations: { [`${prefix}post-config-action`]: 'Rebooting' },
          }),
          aNode('n2', { current: old }),
        ],
        machineConfigNodes: [report(['RebootedNode', 'Unknown', 2])],
      },
    ],
    [
      'of a cordon that is about to be taken back',
      {
        nodes: [
          aNode('n1', {
            current: next,
            unschedulable: true,
            annotations: {
              [`${prefix}desiredDrain`]: `uncordon-${next}`,
              [`${prefix}lastAppliedDrain`]: `drain-${next}`,
            },
          }),
        ],
      },
    ],
    ['of a node of another system', { nodes: [aNode('n1', { labels: { 'kubernetes.io/os': 'windows' } })] }],
    ['of a machine that joined a minute ago', { nodes: [aNode('n1', { created: ago(1) })] }],
    ['of a pool that somebody made without a spec', { pools: [{ metadata: { name: 'x' } } as never] }],
  ])('%s', (_name, snapshot) => {
    expect(codes(snapshot)).toEqual([])
  })
})

it('explain puts the gravest first', () => {
  const nodes = [
    aNode('n10', { current: next, labels: {} }),
    aNode('n2', { current: old, desired: 'rendered-gone', state: 'Done' }),
    aNode('n1', { current: next, ready: 'False' }),
  ]
  expect(found({ nodes }).map(({ severity, subject }) => `${severity} ${subject.name}`)).toEqual([
    'critical n2',
    'warning n1',
    'info n10',
  ])
})
