import { describe, expect, it } from 'vitest'
import { aNode, aPool, type NodeOptions, type PoolOptions } from '../../test/unit/rolloutBuilders.ts'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import type { LooseCondition } from '../api/meta.ts'
import { waitingSummary } from '../rollout/waitingSummary.ts'
import { type ClusterObjects, clusterStatus } from './clusterStatus.ts'

const prefix = 'machineconfiguration.openshift.io/'
const drain = (desired: string, applied = '') => ({
  [`${prefix}desiredDrain`]: desired,
  [`${prefix}lastAppliedDrain`]: applied,
})

function status(objects: Partial<ClusterObjects>) {
  return clusterStatus({ pools: [aPool('worker')], nodes: [], machineConfigNodes: [], ...objects }, new Date(0))
}

const nodeLine = (options: NodeOptions, objects: Partial<ClusterObjects> = {}) =>
  status({ nodes: [aNode('n1', options)], ...objects }).nodes[0]

describe('clusterStatus names the state of a node', () => {
  const moving: NodeOptions = { current: 'v0', desired: 'v1' }
  it.each<[string, NodeOptions]>([
    ['Done', { current: 'v1' }],
    ['Waiting', { current: 'v0' }],
    ['Waiting', moving],
    ['Updating', { ...moving, state: 'Working' }],
    ['Draining', { ...moving, state: 'Working', annotations: drain('drain-v1') }],
    ['Updating', { ...moving, state: 'Working', annotations: drain('drain-v1', 'drain-v1') }],
    ['Rebooting', { ...moving, state: 'Working', annotations: { [`${prefix}post-config-action`]: 'Rebooting' } }],
    ['Uncordoning', { ...moving, state: 'Working', annotations: drain('uncordon-v1', 'drain-v1') }],
    ['Degraded', { ...moving, state: 'Degraded', annotations: drain('drain-v1') }],
    ['Unreconcilable', { ...moving, state: 'Unreconcilable' }],
    ['Unmanaged', {}],
    ['Degraded', { state: 'Degraded' }],
  ])('%s', (expected, options) => {
    expect(nodeLine(options)?.state).toBe(expected)
  })
})

describe('clusterStatus says about a node', () => {
  const blocker = { namespace: 'a', pod: 'b', reason: 'EvictionFailed', message: 'pod a/b cannot be evicted' }
  const blockers = (total: number) => JSON.stringify({ since: 't', attempts: 1, total, blockers: [blocker] })
  const blocked = (total: number): NodeOptions => ({
    current: 'v0',
    desired: 'v1',
    state: 'Working',
    unschedulable: true,
    annotations: { ...drain('drain-v1'), 'machineconfig.io/drain-blockers': blockers(total) },
  })
  it.each<[string, NodeOptions, readonly string[]]>([
    ['nothing when all is well', { current: 'v1' }, []],
    ['who blocks its drain', blocked(1), ['pod a/b cannot be evicted']],
    ['how many more block its drain', blocked(12), ['pod a/b cannot be evicted', 'and 11 more pods']],
    [
      'that its drain goes on without a refusal',
      { current: 'v0', desired: 'v1', annotations: { ...drain('drain-v1'), 'machineconfig.io/drain-started': 'T0' } },
      ['its pods are being moved since T0; none refuses so far'],
    ],
    [
      'that it is not back from its reboot',
      {
        current: 'v0',
        desired: 'v1',
        state: 'Working',
        annotations: { [`${prefix}post-config-action`]: 'Rebooting', 'machineconfig.io/reboot-overdue': 'not back' },
      },
      ['not back'],
    ],
    ['why it is degraded', { current: 'v0', desired: 'v1', state: 'Degraded', reason: 'no space' }, ['no space']],
    ['that it gives no reason', { current: 'v1', state: 'Degraded' }, ['it gives no reason']],
    [
      'the two ways out of a changed disk',
      { current: 'v1', state: 'Degraded', reason: 'unexpected on-disk state validating against v1: x' },
      [
        'unexpected on-disk state validating against v1: x',
        'put it back, or create /run/machine-config-daemon-force on the node: everything is then written again, with a reboot',
      ],
    ],
    ['that no pool selects it', { current: 'v1', labels: {} }, ['no pool selects this node, so nothing updates it']],
    ['nothing when it is no Linux node', { labels: { 'kubernetes.io/os': 'windows' } }, []],
    ['that nobody reports from it', {}, ['no node daemon has reported from here yet']],
    [
      'that a cordon of somebody else costs budget',
      { current: 'v1', unschedulable: true },
      ['node n1 is reporting Unschedulable; it counts as unavailable'],
    ],
    [
      'that its kubelet is in trouble',
      { current: 'v1', ready: 'Unknown' },
      ['node n1 is reporting NotReady=Unknown; it counts as unavailable'],
    ],
    [
      'nothing of a blockers annotation that is not JSON',
      { ...blocked(1), annotations: { 'machineconfig.io/drain-blockers': '{' } },
      [],
    ],
  ])('%s', (_name, options, expected) => {
    expect(nodeLine(options)?.messages).toEqual(expected)
  })

  it('what its daemon is doing', () => {
    const condition = (type: string, message: string, second: number) => ({
      type,
      message,
      status: 'Unknown' as const,
      reason: type,
      lastTransitionTime: `2026-01-01T00:00:0${second}Z`,
    })
    const report: MachineConfigNode = {
      metadata: { name: 'n1' },
      spec: { node: { name: 'n1' }, pool: { name: 'worker' }, configVersion: { desired: 'v1' } },
      status: {
        conditions: [condition('RebootedNode', 'Upgrade requires a reboot.', 2), condition('Drained', 'older', 1)],
        configVersion: { current: 'v0', desired: 'v1' },
      },
    }
    const line = nodeLine({ current: 'v0', desired: 'v1', state: 'Working' }, { machineConfigNodes: [report] })
    expect(line?.messages).toEqual(['Upgrade requires a reboot.'])
  })

  it('that it belongs to two custom pools, and that a control-plane node ignores one', () => {
    const role = (name: string) => ({ [`node-role.kubernetes.io/${name}`]: '' })
    const pools = ['master', 'worker', 'infra', 'edge'].map((name) => aPool(name))
    const both = nodeLine({ current: 'v1', labels: { ...role('infra'), ...role('edge') } }, { pools })
    expect([both?.pool, both?.messages]).toEqual([
      '',
      ['node n1 belongs to 2 custom roles, cannot proceed with this Node'],
    ])
    const master = nodeLine({ current: 'v1', labels: { ...role('master'), ...role('infra') } }, { pools })
    expect([master?.pool, master?.messages]).toEqual([
      'master',
      ['it is a control-plane node: the custom pool that selects it is ignored'],
    ])
  })
})

const conditions = (...list: readonly (readonly [string, 'True' | 'False', string?])[]): readonly LooseCondition[] =>
  list.map(([type, value, message = '']) => ({ type, status: value, message, reason: '', lastTransitionTime: 't' }))

const poolLine = (options: PoolOptions, nodes: readonly NodeOptions[] = []) =>
  status({
    pools: [aPool('worker', options)],
    nodes: nodes.map((node, index) => aNode(`n${index + 1}`, node)),
  }).pools[0]

const waits = (hold: Parameters<typeof waitingSummary>[1]) => ({
  'machineconfig.io/waiting-nodes': waitingSummary('v1', hold) ?? '',
})

describe('clusterStatus names the state of a pool', () => {
  it.each<[string, PoolOptions]>([
    ['Unknown', {}],
    ['Updated', { status: { conditions: conditions(['Updated', 'True']) } }],
    ['Updating', { status: { conditions: conditions(['Updating', 'True']) } }],
    ['Paused', { paused: true, status: { conditions: conditions(['Updating', 'False']) } }],
    ['Updated', { paused: true, status: { conditions: conditions(['Updated', 'True']) } }],
    ['Degraded', { status: { conditions: conditions(['Updating', 'True'], ['Degraded', 'True']) } }],
  ])('%s', (expected, options) => {
    expect(poolLine(options)?.state).toBe(expected)
  })

  it('with its counts and configs', () => {
    const counts = {
      machineCount: 4,
      updatedMachineCount: 3,
      readyMachineCount: 2,
      unavailableMachineCount: 1,
      degradedMachineCount: 1,
    }
    expect(poolLine({ config: 'v1', status: { ...counts, configuration: { name: 'v0' } } })).toMatchObject({
      config: 'v0',
      target: 'v1',
      machines: 4,
      updated: 3,
      ready: 2,
      unavailable: 1,
      degraded: 1,
    })
  })
})

describe('clusterStatus says about a pool', () => {
  const degraded = conditions(['NodeDegraded', 'True', 'Node n1 is reporting: "x"'], ['Degraded', 'True', 'all of it'])
  const atCapacity = (node: string) => ({ node, reason: 'AtCapacity', message: 'at most 1 of 3' }) as const
  it.each<[string, PoolOptions, readonly NodeOptions[], readonly string[]]>([
    ['nothing when all is well', { status: { conditions: conditions(['Updated', 'True']) } }, [{ current: 'v1' }], []],
    [
      'which nodes are degraded, not what: they say so themselves',
      { status: { conditions: degraded } },
      [{ current: 'v1', state: 'Degraded' }, { current: 'v1' }],
      ['1 node is degraded: n1'],
    ],
    [
      'what the condition says when no node is degraded any more',
      { status: { conditions: degraded } },
      [{ current: 'v1' }],
      ['Node n1 is reporting: "x"'],
    ],
    [
      'why it cannot be rendered, in full',
      {
        status: {
          conditions: conditions(['RenderDegraded', 'True', 'bad config'], ['Degraded', 'True', 'bad config']),
        },
      },
      [],
      ['bad config'],
    ],
    ['an unknown cause', { status: { conditions: conditions(['Degraded', 'True', 'whatever']) } }, [], ['whatever']],
    ['that it has no config', { config: '' }, [], ['it has no rendered config yet; its nodes stay as they are']],
    [
      'who waits for the budget, in one sentence',
      { annotations: waits([atCapacity('n1'), atCapacity('n2')]) },
      [],
      ['2 nodes wait (AtCapacity): at most 1 of 3'],
    ],
    [
      'who waits for different causes by name',
      {
        annotations: waits([
          { node: 'n1', reason: 'NotReady', message: 'n1 is not' },
          { node: 'n2', reason: 'NotReady', message: 'n2 is not' },
          { node: 'n3', reason: 'Cordoned', message: 'uncordon it' },
        ]),
      },
      [],
      ['2 nodes wait (NotReady): n1, n2', '1 node waits (Cordoned): uncordon it'],
    ],
    [
      'how many wait beyond those that are listed',
      {
        annotations: waits(
          Array.from({ length: 12 }, (_, n) => ({ node: `n${n}`, reason: 'NotReady', message: `n${n}` }) as const),
        ),
      },
      [],
      ['12 nodes wait (NotReady): n0, n1, n10, n11, n2 and 7 more'],
    ],
    [
      'what a pause holds back',
      {
        paused: true,
        status: {
          conditions: conditions(['Updating', 'False', 'Pool is paused; will not update to MachineConfig v1']),
        },
        annotations: waits([{ node: 'n1', reason: 'Paused', message: 'the pool is paused' }]),
      },
      [],
      ['Pool is paused; will not update to MachineConfig v1; 1 node will move when spec.paused is false'],
    ],
    [
      'nothing of an annotation that somebody broke',
      { annotations: { 'machineconfig.io/waiting-nodes': '[1' } },
      [],
      [],
    ],
    ['nothing of one of another shape', { annotations: { 'machineconfig.io/waiting-nodes': '{"nodes":1}' } }, [], []],
  ])('%s', (_name, options, nodes, expected) => {
    expect(poolLine(options, nodes)?.messages).toEqual(expected)
  })
})

describe('clusterStatus', () => {
  it('gives each waiting node the reason that its pool published', () => {
    const held = { node: 'n1', reason: 'Cordoned', message: 'uncordon it' } as const
    const pools = [aPool('worker', { annotations: waits([held]) })]
    const line = nodeLine({ current: 'v0', unschedulable: true }, { pools })
    expect(line).toMatchObject({ state: 'Waiting', hold: { reason: 'Cordoned', message: 'uncordon it' }, messages: [] })
  })

  it("tells what is wrong with the config server's certificates", () => {
    const annotations = { 'machineconfig.io/rotation-fault': 'secrets is forbidden' }
    const failing = { metadata: { name: 'machine-config-server-ca', annotations } }
    const objects = { pools: [], nodes: [], machineConfigNodes: [] }
    expect(clusterStatus(objects, new Date()).certificates).toEqual([])
    expect(clusterStatus({ ...objects, bundle: failing }, new Date()).certificates).toEqual([
      'the rotation fails and will be tried again: secrets is forbidden',
    ])
  })

  it('tells which source of a certificate bundle cannot be used', () => {
    const problem = { reason: 'SourceMissing', message: 'ConfigMap a/b does not exist', since: '2026-01-01T00:00:00Z' }
    const value = JSON.stringify({ kubeletClientCa: { certificates: 1, problem }, userCa: { certificates: 1 } })
    const annotations = { 'machineconfig.io/certificate-bundles': value }
    const controllerConfig = { metadata: { annotations } } as unknown as ControllerConfig
    const objects = { pools: [], nodes: [], machineConfigNodes: [] }
    expect(clusterStatus(objects, new Date()).bundles).toEqual([])
    expect(clusterStatus({ ...objects, controllerConfig }, new Date()).bundles).toEqual([
      'bundle kubeletClientCa is not renewed since 2026-01-01T00:00:00Z (SourceMissing): ConfigMap a/b does not exist',
    ])
  })

  it('sorts as people count', () => {
    const nodes = ['n10', 'n9', 'n1'].map((name) => aNode(name, { current: 'v1' }))
    expect(status({ nodes }).nodes.map(({ name }) => name)).toEqual(['n1', 'n9', 'n10'])
  })
})
