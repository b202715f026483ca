import { describe, expect, it } from 'vitest'
import { aNode, aPool, type NodeOptions, type PoolOptions } from '../../test/unit/rolloutBuilders.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { MachineConfigPoolStatus } from '../api/machineConfigPool.ts'
import type { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { Layering } from './layering.ts'
import { nodeToView } from './nodeView.ts'
import { poolStatus } from './poolStatus.ts'

const now = new Date('2026-01-01T00:00:00Z')

interface Facts {
  readonly pool?: PoolOptions
  readonly nodes?: readonly NodeOptions[]
  readonly layering?: Layering
  readonly machineConfigNodes?: readonly MachineConfigNode[]
  readonly gates?: readonly string[]
  readonly stream?: string
}

function statusOf(
  { pool, nodes = [], layering = { kind: 'plain' }, machineConfigNodes = [], gates = [], stream }: Facts,
  at = now,
) {
  return poolStatus(
    {
      pool: aPool('worker', pool),
      nodes: nodes.map((node, index) => nodeToView(aNode(`n${index}`, node))),
      layering,
      machineConfigNodes,
      featureGates: new Set(gates),
      certificates: [],
      osImageStream: () => stream,
    },
    at,
  )
}

const counts = (status: MachineConfigPoolStatus): string =>
  [
    status.machineCount,
    status.updatedMachineCount,
    status.readyMachineCount,
    status.unavailableMachineCount,
    status.degradedMachineCount,
  ].join('/')

const condition = (status: MachineConfigPoolStatus, type: string) =>
  (status.conditions ?? []).find((candidate) => candidate.type === type)

const flags = (status: MachineConfigPoolStatus): string =>
  ['Updated', 'Updating', 'Degraded'].map((type) => condition(status, type)?.status.charAt(0)).join('')

const v0: NodeOptions = { current: 'v0' }
const v1: NodeOptions = { current: 'v1' }
const moving: NodeOptions = { current: 'v0', desired: 'v1', state: 'Working' }

describe('poolStatus counts', () => {
  it.each<[string, Facts, string, string]>([
    ['three that wait', { nodes: [v0, v0, v0] }, '3/0/0/0/0', 'FTF'],
    ['one that moves', { nodes: [moving, v0, v0] }, '3/0/0/1/0', 'FTF'],
    ['one that moves, NotReady', { nodes: [{ ...moving, ready: 'False' }, v0, v0] }, '3/0/0/1/0', 'FTF'],
    ['one that moves in a paused pool', { nodes: [moving, v0, v0], pool: { paused: true } }, '3/0/0/1/0', 'FFF'],
    [
      'one degraded and NotReady',
      { nodes: [{ ...moving, state: 'Degraded', ready: 'False' }, v0, v0] },
      '3/0/0/1/1',
      'FTT',
    ],
    ['one updated and NotReady', { nodes: [{ ...v1, ready: 'False' }, v0, v0] }, '3/1/0/1/0', 'FTF'],
    ['one updated, two moving', { nodes: [v1, moving, moving] }, '3/1/1/2/0', 'FTF'],
    ['all updated', { nodes: [v1, v1, v1] }, '3/3/3/0/0', 'TFF'],
    ['no nodes at all', {}, '0/0/0/0/0', 'TFF'],
  ])('%s', (_name, facts, expectedCounts, expectedFlags) => {
    const status = statusOf(facts)
    expect([counts(status), flags(status)]).toEqual([expectedCounts, expectedFlags])
  })
})

describe('poolStatus explains Degraded', () => {
  const renderDegraded = {
    type: 'RenderDegraded',
    status: 'True',
    reason: '',
    message: 'Failed to render configuration for pool worker: bad file',
    lastTransitionTime: null,
  }

  it('by the text of every degraded node, also one that has no MachineConfigNode yet', () => {
    const status = statusOf({ nodes: [{ ...moving, state: 'Degraded', reason: 'disk "full"' }, v0] })
    expect(condition(status, 'NodeDegraded')).toMatchObject({
      reason: '1 nodes are reporting degraded status on sync',
      message: 'Node n0 is reporting: "disk \\"full\\""',
    })
    expect(condition(status, 'Degraded')?.message).toBe('Node n0 is reporting: "disk \\"full\\""')
  })

  it('by the render problem, alone or beside a node', () => {
    const pool = { status: { conditions: [renderDegraded] } }
    expect(condition(statusOf({ pool }), 'Degraded')?.message).toBe(renderDegraded.message)
    const both = statusOf({ pool, nodes: [{ ...moving, state: 'Degraded' }] })
    expect(condition(both, 'Degraded')?.message).toBe(
      `Node n0 is reporting: "Degraded on the way from v0 to v1, and its daemon gave no reason"; ${renderDegraded.message}`,
    )
  })

  it('once, when annotation and MachineConfigNode say the same', () => {
    const machineConfigNode = report('n0', 'NodeDegraded', 'Node n0 upgrade failure. boom')
    const nodes = [{ ...moving, state: 'Degraded', reason: 'boom' }]
    const status = statusOf({ nodes, machineConfigNodes: [machineConfigNode] })
    expect(condition(status, 'Degraded')?.message).toBe('Node n0 is reporting: "Node n0 upgrade failure. boom"')
  })
})

describe('poolStatus with MachineConfigNodes as the source', () => {
  it('skips one without conditions and one of another node, and counts the rest', () => {
    const gates = ['ImageModeStatusReporting']
    const bare = { ...report('n0', 'Updated', ''), status: {} }
    const machineConfigNodes = [bare, report('gone', 'Updated', ''), report('n1', 'Updated', '')]
    const status = statusOf({ nodes: [v1, v1], machineConfigNodes, gates })
    expect(status.updatedMachineCount).toBe(1)
  })
})

describe('poolStatus keeps still', () => {
  it.each<[string, Facts]>([
    ['a finished pool', { nodes: [v1] }],
    ['a moving pool', { nodes: [moving, v0] }],
    ['a paused pool with a build', { nodes: [v0], pool: { paused: true }, layering: building() }],
    ['a degraded pool', { nodes: [{ ...moving, state: 'Degraded' }] }],
  ])('%s: a second look an hour later changes nothing', (_name, facts) => {
    const first = statusOf(facts)
    const second = statusOf({ ...facts, pool: { ...facts.pool, status: first } }, new Date(now.getTime() + 3_600_000))
    expect(second).toEqual(first)
  })
})

it('poolStatus takes over the new configuration only when every node has it', () => {
  const before = { configuration: { name: 'v0' } }
  expect(statusOf({ nodes: [v1, v0], pool: { status: before } }).configuration).toEqual({ name: 'v0' })
  expect(statusOf({ nodes: [v1, v1], pool: { status: before } }).configuration).toEqual({ name: 'v1' })
})

it('poolStatus names the OS stream only of an updated, healthy pool', () => {
  const gates = ['OSStreams']
  expect(statusOf({ nodes: [v1], gates, stream: 'rhel-9' }).osImageStream).toEqual({ name: 'rhel-9' })
  expect(statusOf({ nodes: [v0], gates, stream: 'rhel-9' }).osImageStream).toBeUndefined()
  expect(statusOf({ nodes: [v1], stream: 'rhel-9' }).osImageStream).toBeUndefined()
})

function report(name: string, type: string, message: string): MachineConfigNode {
  return {
    metadata: { name },
    spec: { node: { name }, pool: { name: 'worker' }, configVersion: { desired: 'v1' } },
    status: {
      configVersion: { current: 'v1', desired: 'v1' },
      conditions: [{ type, status: 'True', reason: type, message, lastTransitionTime: '' }],
    },
  }
}

function building(): Layering {
  const config = { metadata: { name: 'worker' }, spec: { machineConfigPool: { name: 'worker' } } } as MachineOSConfig
  const build = {
    metadata: { name: 'b' },
    spec: { machineConfig: { name: 'v1' }, machineOSConfig: { name: 'worker' } },
    status: { conditions: [{ type: 'Building', status: 'True', reason: 'r', message: '', lastTransitionTime: '' }] },
  } as unknown as MachineOSBuild
  return { kind: 'layered', config, build }
}
