import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aNode, type NodeOptions } from '../../test/unit/rolloutBuilders.ts'
import { decideRollout, type RolloutOptions } from './decideRollout.ts'
import { isInFlight, isReady, isUnavailable, needsUpdate } from './nodePredicates.ts'
import { nodeToView } from './nodeView.ts'

const v1: NodeOptions = { current: 'v1' }
const v0: NodeOptions = { current: 'v0' }
const moving: NodeOptions = { current: 'v0', desired: 'v1', state: 'Working' }
const unready = (options: NodeOptions): NodeOptions => ({ ...options, ready: 'False' })
const draining = { 'machineconfiguration.openshift.io/desiredDrain': 'drain-v2' }

function decide(max: number, nodes: readonly NodeOptions[], options: RolloutOptions & { lastCompleted?: string } = {}) {
  const { lastCompleted, ...rest } = options
  const views = nodes.map((node, index) => nodeToView(aNode(`n${index + 1}`, node)))
  const target = { kind: 'plain', config: 'v1' } as const
  return decideRollout({ target, maxUnavailable: max, ...(lastCompleted && { lastCompleted }) }, views, rest)
}

describe('decideRollout chooses', () => {
  it.each<[string, number, NodeOptions[], string[]]>([
    ['nobody when all are updated', 1, [v1, v1, v1], []],
    ['nobody while an updated node is NotReady', 1, [v1, v1, unready(v1)], []],
    ['nobody while one moves', 1, [v1, v1, moving, v0, v0], []],
    ['a ready node beside a NotReady one', 2, [unready(v0), v0, v0], ['n2']],
    ['as many as the budget leaves', 3, [v1, unready(v1), moving, v0, v0], ['n4']],
    ['a node stuck on an older config', 1, [v1, { current: 'v0.1', desired: 'v0.2', state: 'Degraded' }, v0], ['n2']],
    ['nobody while a node drifted', 1, [v1, { current: 'v1', state: 'Degraded' }, v0], []],
    ['the failed node of a rollback', 1, [v1, v1, { current: 'v1', desired: 'v2', state: 'Degraded' }, v1], ['n3']],
    [
      'nobody but the targeted node itself before it has started',
      1,
      [v1, { current: 'v1', desired: 'v2', state: 'Done' }, v1],
      ['n2'],
    ],
    ['two of four', 4, [v1, unready(v1), moving, v0, v0, v0, v0, v1, v1], ['n4', 'n5']],
    ['nobody after the first failure of this config', 1, [{ ...moving, state: 'Degraded' }, v0], []],
    ['nobody with a negative budget', -1, [v0], []],
  ])('%s', (_name, max, nodes, expected) => {
    expect(decide(max, nodes).move).toEqual(expected)
  })
})

describe('decideRollout holds', () => {
  it('every node that needs the target, each with a reason and a sentence', () => {
    const plan = decide(2, [moving, v0, v0, { ...v0, unschedulable: true }, unready(v0), v1])
    expect(plan.move).toEqual([])
    expect(plan.hold.map(({ node, reason }) => [node, reason])).toEqual([
      ['n2', 'AtCapacity'],
      ['n3', 'AtCapacity'],
      ['n4', 'Cordoned'],
      ['n5', 'NotReady'],
    ])
    expect(plan.hold[0]?.message).toBe(
      'at most 2 of 6 nodes may be unavailable at once; updating or unavailable: n1, n4, n5',
    )
  })

  it('a node whose uncordon is asked for and not yet made, without blaming a person for its cordon', () => {
    const prefix = 'machineconfiguration.openshift.io/'
    const annotations = { [`${prefix}desiredDrain`]: 'uncordon-v0', [`${prefix}lastAppliedDrain`]: 'drain-v0' }
    const plan = decide(1, [{ ...v0, unschedulable: true, annotations }])
    expect(plan.hold.map(({ reason }) => reason)).toEqual(['NotReady'])
  })

  it('names who failed the target, who is degraded and who is busy', () => {
    const failed = { ...moving, state: 'Degraded' }
    const drifted = { ...v1, state: 'Degraded' }
    const plan = decide(6, [failed, drifted, moving, unready(v1), v0, v0, v0, v0])
    expect(plan.move).toEqual(['n5', 'n6'])
    expect(plan.hold.map(({ message }) => message)).toEqual([
      'at most 6 of 8 nodes may be unavailable at once; failed to apply MachineConfig v1: n1; degraded: n2; updating or unavailable: n3, n4, n5 and 1 more',
      'at most 6 of 8 nodes may be unavailable at once; failed to apply MachineConfig v1: n1; degraded: n2; updating or unavailable: n3, n4, n5 and 1 more',
    ])
  })

  it('all nodes when the pool is closed', () => {
    const plan = decide(3, [v0, v1], { closed: { reason: 'Paused', message: 'the pool is paused' } })
    expect(plan).toEqual({ move: [], hold: [{ node: 'n1', reason: 'Paused', message: 'the pool is paused' }] })
  })

  it('the node of the operator while there is another candidate', () => {
    const plan = decide(2, [v0, v0], { operatorNode: 'n1' })
    expect([plan.move, plan.deferred, plan.hold[0]?.reason]).toEqual([['n2'], 'n1', 'OperatorNode'])
    expect(decide(2, [v0, v1], { operatorNode: 'n1' }).move).toEqual(['n1'])
  })

  it('a node that is about to change its pool', () => {
    const plan = decide(1, [v0, v0], { relabelled: new Set(['n1']) })
    expect([plan.move, plan.hold.map(({ reason }) => reason)]).toEqual([['n2'], ['BootPoolLabels']])
  })
})

describe('decideRollout regains', () => {
  const stuck: NodeOptions = { current: 'v1', desired: 'v2', state: 'Working' }

  it('a node that we cordoned for another config, whatever the budget says', () => {
    const cordoned = { ...stuck, unschedulable: true, annotations: draining }
    expect(decide(1, [cordoned, v1]).move).toEqual(['n1'])
  })

  it('a node that went NotReady in the middle of another update', () => {
    expect(decide(1, [unready(stuck), v1]).move).toEqual(['n1'])
  })

  it('no node that somebody else cordoned', () => {
    expect(decide(1, [{ ...stuck, unschedulable: true }, v1]).move).toEqual([])
  })

  it('a NotReady node that settled on a broken config, when the pool goes back', () => {
    const broken = unready({ current: 'v2' })
    expect(decide(1, [broken, v1, v1], { lastCompleted: 'v1' }).move).toEqual(['n1'])
  })

  it('a NotReady node that settled on a broken config, when the pool is repaired forward', () => {
    const broken = unready({ current: 'v2' })
    expect(decide(1, [broken, v0, v0], { lastCompleted: 'v0' }).move).toEqual(['n1'])
    expect(decide(1, [unready(v0), broken, v0], { lastCompleted: 'v0' }).move).toEqual(['n2'])
  })

  it('a node whose daemon has not begun with the old target, and no node twice', () => {
    const unstarted: NodeOptions = { current: 'v0', desired: 'v2', state: 'Done' }
    expect(decide(1, [unstarted, v0]).move).toEqual(['n1'])
    expect(decide(3, [unstarted, v1]).move).toEqual(['n1'])
    expect(decide(1, [{ ...unstarted, unschedulable: true }, v1]).move).toEqual([])
    expect(decide(1, [{ ...unstarted, state: 'Working' }, v1]).move).toEqual([])
  })

  it.each<[string, NodeOptions]>([
    [
      'drained, rebooted, never Ready again',
      { ...stuck, ready: 'Unknown', unschedulable: true, annotations: draining },
    ],
    ['degraded while it was drained', { ...stuck, state: 'Degraded', unschedulable: true, annotations: draining }],
    ['degraded, not drained', { ...stuck, state: 'Degraded' }],
    ['degraded and NotReady', { ...stuck, state: 'Degraded', ready: 'False' }],
    ['told, with its daemon away', { ...stuck, state: 'Done' }],
  ])('a node that is %s, at once when the target changes', (_, node) => {
    expect(decide(1, [node, v0], { lastCompleted: 'v0' }).move).toEqual(['n1'])
    expect(decide(1, [node, v1], { lastCompleted: 'v1' }).move).toEqual(['n1'])
  })

  it('a NotReady node last of all on the way forward', () => {
    expect(decide(2, [unready(v0), v0, v0]).move).toEqual(['n2'])
    expect(decide(1, [unready(v0), v1, v1]).move).toEqual(['n1'])
  })

  it('no more settled nodes than the budget', () => {
    const broken = unready({ current: 'v2' })
    expect(decide(2, [broken, broken, broken], { lastCompleted: 'v1' }).move).toHaveLength(2)
    expect(decide(2, [broken, broken, moving], { lastCompleted: 'v1' }).move).toHaveLength(1)
  })
})

const anyNode = fc.record({
  current: fc.constantFrom('v0', 'v1', 'v2', undefined),
  desired: fc.constantFrom('v0', 'v1', 'v2', undefined),
  state: fc.constantFrom('Done', 'Working', 'Degraded', 'Unreconcilable', 'Rebooting'),
  ready: fc.constantFrom('True', 'False', 'Unknown'),
  unschedulable: fc.boolean(),
  annotations: fc.constantFrom({}, draining),
})

it('decideRollout never starts more than the budget, and moves or holds every node that waits', () => {
  fc.assert(
    fc.property(
      fc.array(anyNode, { maxLength: 9 }),
      fc.integer({ min: -1, max: 9 }),
      fc.boolean(),
      (nodes, max, back) => {
        // fast-check's records may hold undefined members, which the builder takes as absent ones
        const options = nodes.map((node) =>
          Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined)),
        )
        const plan = decide(max, options, back ? { lastCompleted: 'v1' } : {})
        const views = options.map((node, index) => nodeToView(aNode(`n${index + 1}`, node)))
        const target = { kind: 'plain', config: 'v1' } as const
        const moved = views.filter(({ name }) => plan.move.includes(name))
        // A node that is unavailable already becomes no more so; one that takes workload must fit the budget.
        const fresh = moved.filter((node) => !isUnavailable(node))
        const started = moved.filter((node) => !isInFlight(node) && isReady(node))
        expect(fresh.length).toBeLessThanOrEqual(Math.max(0, max - views.filter(isUnavailable).length))
        expect(started.length).toBeLessThanOrEqual(Math.max(0, max))
        const waiting = views.filter((node) => needsUpdate(node, target)).map(({ name }) => name)
        expect([...plan.move, ...plan.hold.map(({ node }) => node)].sort()).toEqual(waiting.sort())
        expect(plan.hold.every(({ message }) => message.length > 0)).toBe(true)
        expect(moved.every((node) => !node.unschedulable || isDrained(node))).toBe(true)
      },
    ),
  )
})

const isDrained = (node: { annotations: Readonly<Record<string, string>> }): boolean =>
  (node.annotations['machineconfiguration.openshift.io/desiredDrain'] ?? '').startsWith('drain-')
