import { describe, expect, test } from 'vitest'
import { SettlingTargets, settleMs, statusOnly } from './settlingTarget.ts'

const at = (ms: number): Date => new Date(1_000_000 + ms)

describe('SettlingTargets', () => {
  test('takes the target that a process finds at its start for settled', () => {
    expect(new SettlingTargets().look('worker', 'a', at(0))).toBeUndefined()
  })

  test('lets a new target settle, and starts anew with the next one', () => {
    const targets = new SettlingTargets()
    targets.look('worker', 'a', at(0))
    expect(targets.look('worker', 'b', at(10))).toEqual(at(10 + settleMs))
    expect(targets.look('worker', 'b', at(100))).toEqual(at(10 + settleMs))
    expect(targets.look('worker', 'c', at(200))).toEqual(at(200 + settleMs))
    expect(targets.look('worker', 'c', at(200 + settleMs))).toBeUndefined()
  })

  test('keeps pools apart and forgets those that are gone', () => {
    const targets = new SettlingTargets()
    targets.look('worker', 'a', at(0))
    targets.look('infra', 'x', at(0))
    targets.look('worker', 'b', at(0))
    expect(targets.look('infra', 'x', at(0))).toBeUndefined()
    targets.forget('worker')
    expect(targets.look('worker', 'b', at(0))).toBeUndefined()
  })
})

test('statusOnly keeps what is said and drops what would be done to nodes', () => {
  const pass = {
    plan: { move: ['a'], hold: [{ node: 'b', reason: 'AtCapacity' as const, message: 'full' }] },
    machineConfigNodeSpecs: [],
    nodeWrites: [{ kind: 'metadata' as const, node: 'a', body: { metadata: { annotations: { x: 'y' } } } }],
    events: [{ type: 'Normal' as const, reason: 'SetDesiredConfig', message: 'a' }],
    statusEvents: [{ type: 'Normal' as const, reason: 'Updating', message: 'now' }],
    status: { machineCount: 2 },
  }
  expect(statusOnly(pass)).toEqual({
    plan: { move: [], hold: pass.plan.hold },
    machineConfigNodeSpecs: [],
    nodeWrites: [],
    events: [],
    statusEvents: pass.statusEvents,
    status: pass.status,
  })
})
