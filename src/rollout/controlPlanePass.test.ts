import { describe, expect, it } from 'vitest'
import { aNode, aPool, type NodeOptions, type PoolOptions } from '../../test/unit/rolloutBuilders.ts'
import { decideArbiterPass, decideMasterPass } from './controlPlanePass.ts'
import { nodeToView } from './nodeView.ts'
import type { PoolSnapshot } from './poolPass.ts'

const now = new Date('2026-01-01T00:00:00Z')

function snapshot(name: string, nodes: readonly NodeOptions[], pool: PoolOptions = {}): PoolSnapshot {
  return {
    pool: aPool(name, pool),
    nodes: nodes.map((node, index) => nodeToView(aNode(`${name}-${index}`, node))),
    layering: { kind: 'plain' },
    machineConfigNodes: [],
    featureGates: new Set(),
    certificates: [],
    osImageStream: () => undefined,
    topology: 'HighlyAvailableArbiter',
    bootPoolLabels: () => undefined,
  }
}

const behind: NodeOptions = { current: 'v0' }
const done: NodeOptions = { current: 'v1' }
const moving: NodeOptions = { current: 'v0', desired: 'v1', state: 'Working' }

function moves(master: PoolSnapshot, arbiter: PoolSnapshot | undefined): readonly string[] {
  const result = decideMasterPass(master, arbiter, now)
  return result.kind === 'passes' ? result.passes.flatMap(({ pass }) => pass.plan.move) : [result.message]
}

describe('decideMasterPass', () => {
  it.each<[string, NodeOptions[], NodeOptions[], string[]]>([
    ['moves a master before the arbiter', [behind, done], [behind], ['master-0']],
    ['moves the arbiter when no master is away', [done, done], [behind], ['arbiter-0']],
    ['holds the arbiter while a master is away', [done, moving], [behind], []],
    ['holds the masters while the arbiter is away', [behind, done], [moving], []],
  ])('%s', (_name, masters, arbiters, expected) => {
    expect(moves(snapshot('master', masters), snapshot('arbiter', arbiters))).toEqual(expected)
  })

  it('says that the arbiter pool is missing', () => {
    expect(moves(snapshot('master', [behind]), undefined)).toEqual([
      'arbiter pool "arbiter" not found in HighlyAvailableArbiterMode; cluster may be misconfigured',
    ])
  })
})

describe('decideArbiterPass', () => {
  it.each<[string, PoolSnapshot | undefined, string[], boolean]>([
    ['only looks while the masters lead', snapshot('master', [done]), [], false],
    ['moves alone while the masters are paused', snapshot('master', [behind], { paused: true }), ['arbiter-0'], true],
    ['waits for an unavailable master of a paused pool', snapshot('master', [moving], { paused: true }), [], false],
    ['only looks without a master pool', undefined, [], false],
  ])('%s', (_name, master, expected, writes) => {
    const pass = decideArbiterPass(snapshot('arbiter', [behind]), master, now)
    expect([pass.plan.move, pass.nodeWrites.length > 0, pass.status?.machineCount]).toEqual([expected, writes, 1])
  })

  // Each turn writes what it says onto the pool, and each write brings the other's turn.
  it.each<[string, NodeOptions[], NodeOptions]>([
    ['goes elsewhere while masters are up', [done], { current: 'v0', desired: 'older', state: 'Working' }],
    ['goes elsewhere while a master is away', [moving], { current: 'v0', desired: 'older', state: 'Working' }],
    ['is cordoned', [done], { current: 'v0', unschedulable: true }],
    ['waits for a master that is sent', [behind, done], behind],
  ])('says the same as the masters of an arbiter that %s', (_name, masters, arbiterNode) => {
    const [master, arbiter] = [snapshot('master', masters), snapshot('arbiter', [arbiterNode])]
    const together = decideMasterPass(master, arbiter, now)
    const last = together.kind === 'passes' ? together.passes.at(-1)?.pass.plan.hold : []
    expect(last).toHaveLength(1)
    expect(decideArbiterPass(arbiter, master, now).plan).toEqual({ move: [], hold: last })
  })
})
