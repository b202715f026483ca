import { describe, expect, test } from 'vitest'
import type { Lease } from '../../api/coordination.ts'
import type { Node, Taint } from '../../api/core.ts'
import type { ConditionStatus } from '../../api/meta.ts'
import { nodeHealth } from './nodeHealth.ts'

const now = new Date('2026-01-01T00:01:00Z')
const node = (ready: ConditionStatus, taints: readonly Taint[] = []): Node => ({
  metadata: { name: 'a' },
  spec: { taints },
  status: {
    conditions: [
      { type: 'Ready', status: ready },
      { type: 'Other', status: 'True' },
    ],
  },
})
const lease = (renewTime: string): Lease => ({ metadata: { name: 'a' }, spec: { renewTime } })
const fresh = lease('2026-01-01T00:00:30.000000Z')
const expired = lease('2026-01-01T00:00:20.000000Z')
const taint = (key: string, effect: Taint['effect']): Taint => ({ key: `node.kubernetes.io/${key}`, effect })
const theirs: Taint = { key: 'mine', effect: 'NoSchedule' }
const both = (key: string) => [taint(key, 'NoSchedule'), taint(key, 'NoExecute')]

describe('nodeHealth', () => {
  const rows: [string, Node, Lease | undefined, object][] = [
    [
      'a ready node with a fresh lease is left alone until the lease expires',
      node('True'),
      fresh,
      { conditions: [], taints: undefined, isReady: true, lookAgainAt: new Date('2026-01-01T00:01:10Z') },
    ],
    [
      'a node that never reported is not judged',
      node('True'),
      undefined,
      { conditions: [], isReady: true, lookAgainAt: undefined },
    ],
    [
      'a silent node is unknown, in what its kubelet says',
      node('True'),
      expired,
      {
        conditions: [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }],
        isReady: false,
        lookAgainAt: undefined,
      },
    ],
    [
      'a node that is known to be lost is not written again',
      node('Unknown', both('unreachable')),
      expired,
      { conditions: [], taints: undefined, isReady: false },
    ],
    [
      'a lost node is tainted unreachable beside the taints of others',
      node('Unknown', [theirs]),
      expired,
      { taints: [theirs, ...both('unreachable')] },
    ],
    ['a node that is not ready is tainted so', node('False'), fresh, { taints: both('not-ready'), isReady: false }],
    [
      'a lost node that comes back unready changes its taints',
      node('False', [...both('unreachable'), theirs]),
      fresh,
      { taints: [theirs, ...both('not-ready')] },
    ],
    [
      'a node that is ready again loses our taints only',
      node('True', [...both('not-ready'), theirs]),
      fresh,
      { taints: [theirs], isReady: true },
    ],
  ]
  test.each(rows)('%s', (_, subject, found, expected) => {
    expect(nodeHealth(subject, found, 40_000, now)).toMatchObject(expected)
  })
})
