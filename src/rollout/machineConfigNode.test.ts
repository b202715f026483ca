import { describe, expect, it } from 'vitest'
import { aNode } from '../../test/unit/rolloutBuilders.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { Condition } from '../api/meta.ts'
import { type PhaseReport, reportPhase } from './machineConfigNode.ts'
import { nodeToView } from './nodeView.ts'

const now = new Date('2026-01-01T00:00:00Z')
const node = nodeToView(aNode('n', { current: 'v0', desired: 'v1', state: 'Working' }))

const condition = (type: string, status: Condition['status'], message = ''): Condition => ({
  type,
  status,
  reason: 'R',
  message,
  lastTransitionTime: '2025-01-01T00:00:00Z',
})

function stored(...conditions: Condition[]): MachineConfigNode {
  return {
    metadata: { name: 'n', generation: 2 },
    spec: { node: { name: 'n' }, pool: { name: 'worker' }, configVersion: { desired: 'v1' } },
    status: { conditions, pinnedImageSets: [{ name: 'p' }] },
  }
}

const saying = (state: string, status: Condition['status'], message: string): PhaseReport => ({
  parent: { state, status, reason: state, message },
})

const write = (report: PhaseReport, of?: MachineConfigNode) =>
  reportPhase({ node, pool: 'worker', featureGates: new Set(), ...(of && { stored: of }) }, report, now)

describe('reportPhase', () => {
  it('writes nothing when the object says it already', () => {
    const object = stored(condition('UpdatePrepared', 'True', 'ready'))
    expect(write(saying('UpdatePrepared', 'True', 'ready'), object)).toBeUndefined()
  })

  it('writes a pinned image condition again, because equal texts may tell of other images', () => {
    const object = stored(condition('PinnedImageSetsProgressing', 'True', 'x'))
    expect(write(saying('PinnedImageSetsProgressing', 'True', 'x'), object)?.verb).toBe('applyStatus')
  })

  it('replaces what changed, appends what is new, and keeps the rest of the status', () => {
    const object = stored(condition('Cordoned', 'False'), condition('UpdateExecuted', 'False'))
    const report = {
      ...saying('UpdateExecuted', 'Unknown', 'running'),
      child: { state: 'Drained', status: 'Unknown', reason: 'UpdateExecutedDrained', message: 'draining' },
    } as const
    const body = write(report, object)?.body
    expect(body?.status?.conditions?.map(({ type, message }) => `${type} ${message}`)).toEqual([
      'Cordoned ',
      'UpdateExecuted running',
      'Drained draining',
    ])
    expect(body?.status).toMatchObject({
      observedGeneration: 3,
      configVersion: { current: 'v0', desired: 'v1' },
      pinnedImageSets: [{ name: 'p' }],
    })
  })

  it('turns the last update into history when the node is Updated, once', () => {
    const object = stored(condition('Drained', 'True', 'drained'), condition('Updated', 'False'))
    const first = write(saying('Updated', 'True', 'Node n Updated'), object)?.body.status?.conditions ?? []
    expect(first[0]).toMatchObject({ status: 'False', message: 'Action during update to v1: drained' })
    const again = stored(
      { ...(first[0] ?? condition('Drained', 'False')), status: 'Unknown' },
      condition('Updated', 'True'),
    )
    const second = write(saying('Updated', 'False', 'needs an update'), again)?.body.status?.conditions ?? []
    expect(second[0]?.message).toBe('Action during update to v1: drained')
  })

  it('does not claim a config that the daemon refused', () => {
    const body = write(saying('UpdatePrepared', 'False', 'no'), stored())?.body
    expect(body?.status?.configVersion).toEqual({ current: 'v0', desired: 'not-yet-set' })
  })

  it('creates an object in which no other phase has occurred', () => {
    const created = write(saying('UpdatePrepared', 'True', 'ready'))
    expect(created?.verb).toBe('create')
    const conditions = created?.body.status?.conditions ?? []
    expect(conditions.filter(({ reason }) => reason === 'NotYetOccurred')).toHaveLength(13)
    expect(new Set(conditions.map(({ type }) => type)).size).toBe(14)
  })

  it('waits for a node that is still being made', () => {
    const coming = { ...node, phase: 'Provisioning' }
    const facts = { node: coming, pool: 'worker', featureGates: new Set<string>() }
    expect(reportPhase(facts, saying('UpdatePrepared', 'True', ''), now)).toBeUndefined()
  })
})
