import { describe, expect, it } from 'vitest'
import { fragment, ignition, withFile } from '../../../test/kube/renderObjects.ts'
import { FakeCluster } from '../../../test/unit/fakeCluster.ts'
import { now, present, rendered, rolePool, settledCluster } from '../../../test/unit/forecastBuilders.ts'
import { aBudget, aNode, aPod } from '../../../test/unit/rolloutBuilders.ts'
import { ControllerConfig } from '../../api/controllerConfig.ts'
import { Node } from '../../api/core.ts'
import { MachineConfig } from '../../api/machineConfig.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import type { PoolRollout } from '../../api/poolRollout.ts'
import type { ClusterSnapshot } from '../clusterSnapshot.ts'
import { readSnapshot } from '../readSnapshot.ts'
import type { PoolPlan } from './plan.ts'
import { type PlanOptions, planChange } from './planOf.ts'

const worker = (name: string, options: Parameters<typeof aNode>[1] = {}) =>
  aNode(name, { current: present, ...options })
const zone = (name: string) => ({ 'node-role.kubernetes.io/worker': '', 'topology.kubernetes.io/zone': name })

const three = [worker('w-1', { labels: zone('b') }), worker('w-2', { labels: zone('a') }), worker('w-3')]

const cluster = (
  spec: Parameters<typeof rolePool>[1] = {},
  nodes = three,
  fragments: readonly MachineConfig[] = [fragment('00-worker')],
): ClusterSnapshot => settledCluster([rolePool('worker', spec)], fragments, nodes)

const mc = (
  name: string,
  config: Readonly<Record<string, unknown>>,
  more: MachineConfig['spec'] = {},
): KubernetesObject => ({
  kind: 'MachineConfig',
  ...fragment(name, { config, ...more }),
})

function plan(
  snapshot: ClusterSnapshot,
  put: readonly KubernetesObject[],
  remove: Parameters<typeof planChange>[1]['remove'] = [],
  options: PlanOptions = {},
): PoolPlan {
  const found = planChange(snapshot, { put, remove }, now, options).pools.find(({ pool }) => pool === 'worker')
  if (!found) throw new Error('no plan for the pool worker')
  return found
}

describe('planChange', () => {
  it('says what changes, from which fragment, what happens to nodes, in which order', () => {
    const found = plan(cluster(), [mc('99-a', withFile('/etc/a'))])
    expect(found).toMatchObject({ outcome: 'changes', machines: 3, maxUnavailable: 1, stays: [], silent: [] })
    expect(found.changes).toMatchObject([
      { subject: '/etc/a', change: 'added', setBy: [{ fragment: '99-a', sets: ['contents', 'mode'] }] },
    ])
    // Zone after zone, nodes without one last.
    expect(found.batches.map(({ nodes, atSeconds }) => [nodes, atSeconds])).toEqual([
      [['w-2'], 0],
      [['w-1'], 420],
      [['w-3'], 840],
    ])
    expect(found.effects).toMatchObject([{ impact: 'reboot', drain: true, nodes: ['w-2', 'w-1', 'w-3'] }])
    expect(found.effects[0]?.because).toMatchObject([
      { subject: '/etc/a', rule: 'no node disruption policy for this path', impact: 'reboot' },
    ])
    expect(found.estimate).toEqual({
      seconds: 1260,
      secondsPerNode: 420,
      basis: 'assumed for reboot; no rollout of the pool was measured',
    })
  })

  it('says that nothing changes when nothing does', () => {
    const found = plan(cluster(), [mc('00-worker', undefined as never)])
    expect(found).toMatchObject({ outcome: 'unchanged', changes: [], batches: [], effects: [] })
  })

  it('names who loses a path, and who said what is removed', () => {
    const fragments = [fragment('00-worker'), fragment('10-a', { config: withFile('/etc/a', 'old') })]
    const added = plan(cluster({}, three, fragments), [mc('99-b', withFile('/etc/a', 'new'))])
    expect(added.changes).toMatchObject([
      { subject: '/etc/a', change: 'changed', setBy: [{ fragment: '99-b' }], overridden: ['10-a'] },
    ])
    const removed = plan(cluster({}, three, fragments), [], [{ kind: 'mc', name: '10-a' }])
    expect(removed.changes).toMatchObject([{ subject: '/etc/a', change: 'removed', setBy: [], removedFrom: ['10-a'] }])
  })

  it('shows no contents of secret files unless asked to', () => {
    const secret = ignition({
      storage: { files: [{ path: '/etc/token', mode: 0o600, contents: { source: 'data:,hunter2' } }] },
    })
    expect(JSON.stringify(plan(cluster(), [mc('99-t', secret)]))).not.toContain('hunter2')
    expect(JSON.stringify(plan(cluster(), [mc('99-t', secret)], [], { showSecrets: true }))).toContain('hunter2')
  })

  it('says that a paused pool does not move, and what follows when it is resumed', () => {
    const snapshot = cluster({ paused: true })
    const found = plan(snapshot, [mc('99-a', withFile('/etc/a'))])
    expect(found.held).toMatchObject({ reason: 'Paused', message: expect.stringMatching(/^the pool is paused/) })
    expect(found.batches).toHaveLength(3)
  })

  it('jumps over what waited already: nodes go from what they run', () => {
    const snapshot = cluster({ paused: true })
    const waiting = rendered({
      ...snapshot,
      machineConfigs: [...snapshot.machineConfigs, fragment('90-first', { config: withFile('/etc/first') })],
    })
    const found = plan(waiting, [mc('99-a', withFile('/etc/a'))])
    expect(found.changes.map(({ subject }) => subject)).toEqual(['/etc/a'])
    expect(found.effects[0]?.because.map(({ subject }) => subject)).toEqual(['/etc/a', '/etc/first'])
  })

  it('keeps the target of a pool whose render refuses the change', () => {
    const found = plan(cluster(), [mc('99-a', ignition({ storage: { directories: [{ path: '/etc/d' }] } }))])
    expect(found.outcome).toBe('refused')
    expect(found.message).toMatch(/ignition directories section contains changes/)
    expect(found.batches).toEqual([])
  })

  it('leaves out nodes that cannot move, with the reason, and expects nothing of silent ones', () => {
    const nodes = [worker('w-1', { unschedulable: true }), worker('w-2', { ready: 'False' }), worker('w-3')]
    const found = plan(cluster({ maxUnavailable: 3 }, nodes), [mc('99-a', withFile('/etc/a'))])
    expect(found.stays.map(({ node, reason }) => [node, reason])).toEqual([['w-1', 'Cordoned']])
    expect(found.batches.flatMap(({ nodes: moved }) => moved)).toEqual(['w-3', 'w-2'])
    expect(found.silent).toEqual(['w-2'])
  })

  it('foresees who blocks a drain and what a drain costs', () => {
    const pods = [
      aPod('web-1', { node: 'w-1', owner: { kind: 'ReplicaSet', name: 'web' } }),
      aPod('bare', { node: 'w-1', owner: { kind: '', name: '' }, labels: {} }),
      aPod('cache', { node: 'w-2', labels: {}, spec: { volumes: [{ name: 'v', emptyDir: {} }] } }),
      aPod('pinned', {
        node: 'w-2',
        labels: {},
        owner: { kind: 'ReplicaSet', name: 'p' },
        spec: { nodeSelector: { x: 'y' } },
      }),
    ]
    const snapshot = { ...cluster(), pods, budgets: [aBudget('web', 0, 1, 2)] }
    const found = plan(snapshot, [mc('99-a', withFile('/etc/a'))])
    const of = (node: string) => found.drains.find((drain) => drain.node === node)
    expect(of('w-1')?.blockers).toMatchObject([{ pod: 'web-1', reason: 'DisruptionBudget', budget: { name: 'web' } }])
    expect(of('w-1')?.losses).toMatchObject([{ pod: 'bare', reason: 'Bare' }])
    expect(of('w-2')?.losses).toMatchObject([
      { pod: 'cache', reason: 'LocalData' },
      { pod: 'pinned', reason: 'Nowhere', message: expect.stringContaining('2 of 2 nodes: selector does not match') },
    ])
    expect(of('w-3')).toBeUndefined()
  })

  it('foresees what no eviction will ever solve: two budgets over a pod, and one that cannot end', () => {
    const owner = { kind: 'ReplicaSet', name: 'web' }
    const ending = { deletionTimestamp: '2026-02-01T00:00:00Z', owner, labels: {} }
    const pods = [
      aPod('web-1', { node: 'w-1', owner }),
      aPod('stuck', { node: 'w-2', ...ending, finalizers: ['example.com/hold'] }),
      aPod('going', { node: 'w-3', ...ending }),
    ]
    const budgets = [aBudget('one', 1, 2, 1), aBudget('two', 1, 2, 1)]
    const found = plan({ ...cluster(), pods, budgets }, [mc('99-a', withFile('/etc/a'))])
    expect(found.drains.map(({ node, blockers }) => [node, blockers.map(({ message }) => message)])).toEqual([
      ['w-2', [expect.stringContaining('held by finalizers example.com/hold')]],
      ['w-1', [expect.stringContaining('2 PodDisruptionBudgets select it (one, two)')]],
    ])
  })

  it('spares pods that the pool spares', () => {
    const snapshot = { ...cluster(), pods: [aPod('web-1', { node: 'w-1' })], budgets: [aBudget('web', 0, 1, 2)] }
    const sparing = snapshot.pools.map((pool) => ({
      ...pool,
      metadata: { ...pool.metadata, annotations: { 'machineconfig.io/drain-skip-selector': 'app=web' } },
    }))
    expect(plan({ ...snapshot, pools: sparing }, [mc('99-a', withFile('/etc/a'))]).drains).toEqual([])
  })

  it('reads and plans without a single write', async () => {
    const live = new FakeCluster()
    const { pools, nodes, machineConfigs, controllerConfig } = cluster()
    for (const pool of pools) live.put(MachineConfigPool, pool)
    for (const node of nodes) live.put(Node, node)
    for (const config of machineConfigs) live.put(MachineConfig, config)
    if (controllerConfig) live.put(ControllerConfig, controllerConfig)
    const found = plan(await readSnapshot(live.kube), [mc('99-a', withFile('/etc/a'))])
    expect(found.batches).toHaveLength(3)
    expect(live.writes).toEqual([])
  })

  it('honours pools of the change, and names kinds that it does not plan', () => {
    const snapshot = cluster()
    const labelled = snapshot.nodes.map((node, index) =>
      index === 0
        ? {
            ...node,
            metadata: { ...node.metadata, labels: { ...node.metadata.labels, 'node-role.kubernetes.io/infra': '' } },
          }
        : node,
    )
    const put = [
      { kind: 'MachineConfigPool', ...rolePool('infra') },
      { kind: 'MachineConfig', ...fragment('99-i', { config: withFile('/etc/i') }, { role: 'infra' }) },
      { kind: 'KubeletConfig', metadata: { name: 'pods' } },
      { kind: 'ConfigMap', metadata: { name: 'c' } },
    ]
    const found = planChange({ ...snapshot, nodes: labelled }, { put, remove: [{ kind: 'mc', name: 'nothing' }] }, now)
    expect(found.pools.map(({ pool, outcome, batches }) => [pool, outcome, batches.map(({ nodes }) => nodes)])).toEqual(
      [
        ['infra', 'changes', [['w-1']]],
        ['worker', 'changes', []],
      ],
    )
    expect(found.notPlanned.map(({ object }) => object)).toEqual(['KubeletConfig/pods', 'ConfigMap/c', 'mc/nothing'])
  })

  it('expects nothing of a node on which no daemon ever ran, and does not guess what it would do', () => {
    const nodes = [aNode('w-new', {}), worker('w-1')]
    const found = plan(cluster({ maxUnavailable: 2 }, nodes), [mc('99-a', withFile('/etc/a'))])
    expect(found.silent).toEqual(['w-new'])
    expect(found.effects.find((effect) => effect.nodes.includes('w-new'))).toMatchObject({
      impact: 'unknown',
      refusal: 'the node has no config yet: what would change is not known',
    })
  })

  it('refuses a pool whose selector nobody can read, for that pool and all whose nodes it hides', () => {
    const broken = rolePool('infra', {
      nodeSelector: { matchExpressions: [{ key: 'a', operator: 'Near', values: ['b'] }] },
    })
    const found = planChange(cluster(), { put: [{ kind: 'MachineConfigPool', ...broken }], remove: [] }, now)
    expect(found.pools.map(({ pool, outcome, message }) => [pool, outcome, message?.includes('Near')])).toEqual([
      ['infra', 'refused', true],
      ['worker', 'refused', true],
    ])
  })

  it('counts with policies that the change brings', () => {
    const settings = {
      kind: 'MachineConfiguration',
      metadata: { name: 'cluster' },
      spec: { nodeDisruptionPolicy: { files: [{ path: '/etc/a', actions: [{ type: 'None' }] }] } },
    }
    const found = plan(cluster(), [mc('99-a', withFile('/etc/a')), settings])
    expect(found.effects).toMatchObject([{ impact: 'none', drain: false }])
  })

  it('takes its time per node from the newest rollout that did the same', () => {
    const rollout = (revision: number, seconds: number, phases: Readonly<Record<string, number>>): PoolRollout => ({
      metadata: { name: `worker-${revision}` },
      spec: { pool: 'worker', revision, to: 'r' },
      status: {
        nodes: [
          {
            name: 'w-1',
            phase: 'Done',
            startedAt: '2026-01-01T00:00:00Z',
            finishedAt: new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000).toISOString(),
            seconds: phases,
          },
        ],
      },
    })
    const history = [rollout(1, 90, { Rebooting: 30 }), rollout(3, 7, {}), rollout(2, 100, { Rebooting: 40 })]
    const found = plan(cluster(), [mc('99-a', withFile('/etc/a'))], [], { history })
    expect(found.estimate).toEqual({ seconds: 300, secondsPerNode: 100, basis: '1 node of poolrollout/worker-2' })
  })
})
