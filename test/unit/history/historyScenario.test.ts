import { describe, expect, it } from 'vitest'
import { Node, Secret } from '../../../src/api/core.ts'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../../src/api/names.ts'
import { historyLimitAnnotation, PoolRollout } from '../../../src/api/poolRollout.ts'
import { fragment, pool, withFile } from '../../kube/renderObjects.ts'
import { HistoryWorld } from './historyWorld.ts'

const phases = (world: HistoryWorld) => world.history.map(({ metadata, status }) => `${metadata.name} ${status?.phase}`)
const currentOf = (world: HistoryWorld, name: string) =>
  world.cluster.read(Node, { name }).metadata.annotations?.[nodeAnnotation.currentConfig]
const settled = (rollout: PoolRollout) => rollout.status?.conditions?.find(({ type }) => type === 'Settled')

async function settledWorld(): Promise<HistoryWorld> {
  const world = new HistoryWorld()
  await world.converge()
  return world
}

describe('the history of a pool', () => {
  it('begins with one complete rollout that names the present config', async () => {
    const world = await settledWorld()
    expect(phases(world)).toEqual(['worker-1 Complete'])
    expect(world.newest).toMatchObject({
      metadata: { labels: { 'machineconfig.io/pool': 'worker' }, ownerReferences: [{ name: 'worker' }] },
      spec: {
        pool: 'worker',
        revision: 1,
        to: world.pool.spec.configuration?.name,
        fragments: [{ name: '00-worker' }],
      },
      status: { updated: '2/2', counts: { machines: 2, updated: 2 } },
    })
    expect(settled(world.newest)).toMatchObject({ status: 'True', reason: 'Complete' })
  })

  it('writes nothing while nothing happens', async () => {
    const world = await settledWorld()
    const before = world.cluster.writes.length
    await world.cluster.advance(120_000)
    expect(world.cluster.writes.slice(before)).toEqual([])
  })

  it('records what changed, who goes when, and how long it took', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    expect(world.newest).toMatchObject({
      metadata: { name: 'worker-2', labels: { 'change.machineconfig.io/50-a': '1' } },
      spec: {
        from: world.history[0]?.spec.to,
        change: { added: [{ name: '50-a', generation: 1 }], removed: [], modified: [] },
      },
      status: {
        phase: 'Progressing',
        updated: '0/2',
        nodes: [
          { name: 'w-0', phase: 'Updating', batch: 1 },
          { name: 'w-1', phase: 'Waiting' },
        ],
        batches: [{ number: 1, nodes: 1 }],
      },
    })
    expect(settled(world.newest)).toMatchObject({ status: 'False', reason: 'Progressing' })
    await world.cluster.advance(40_000)
    world.arrive('w-0')
    await world.cluster.advance(3_000)
    expect(world.newest.status).toMatchObject({
      updated: '1/2',
      estimate: { remainingSeconds: 42, basis: '1 node of this rollout, 1 at a time' },
      batches: [{ number: 1 }, { number: 2 }],
    })
    await world.converge()
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Complete'])
    expect(world.newest.status?.nodes?.map(({ finishedAt }) => finishedAt !== undefined)).toEqual([true, true])
    expect(world.newest.status?.nodes?.[0]).toMatchObject({ name: 'w-0', phase: 'Done', seconds: { Updating: 42 } })
  })

  it('makes a complete revision of a change that changes nothing on nodes', async () => {
    const world = await settledWorld()
    world.cluster.put(MachineConfig, {
      metadata: { name: '99-empty', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
      spec: {},
    })
    await world.converge(5)
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Complete'])
    expect(world.newest.spec.from).toBe(world.newest.spec.to)
  })

  it('calls a rollout that is taken back Reverted, and one that is replaced Superseded', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    world.cluster.remove(MachineConfig, { name: '50-a' })
    await world.converge()
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Reverted', 'worker-3 Complete'])
    world.put('50-b', '/etc/b')
    await world.cluster.advance(2_000)
    world.put('50-c', '/etc/c')
    await world.converge()
    expect(phases(world).slice(3)).toEqual(['worker-4 Superseded', 'worker-5 Complete'])
  })

  it('says Blocked, by whom, and what to do, while a node has given up', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    world.giveUp('w-0', 'unexpected on-disk state validating against rendered-worker-x')
    await world.cluster.advance(3_000)
    expect(world.newest.status).toMatchObject({
      phase: 'Blocked',
      counts: { degraded: 1 },
      nodes: [{ name: 'w-0', phase: 'Degraded' }, { name: 'w-1' }],
    })
    expect(world.newest.status?.blockers).toContainEqual(
      expect.objectContaining({
        code: 'ConfigDrift',
        subject: 'node/w-0',
        remedy: expect.stringContaining('put it back'),
      }),
    )
    // The cause is the rollout's message, not that the budget is used up by it.
    expect(world.newest.status?.blockers?.map(({ code }) => code)).toEqual(['ConfigDrift', 'CapacityUsedUp'])
    const settled = world.newest.status?.conditions?.find(({ type }) => type === 'Settled')
    expect(settled?.message).toContain('on-disk state')
    world.cluster.remove(MachineConfig, { name: '50-a' })
    await world.converge()
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Reverted', 'worker-3 Complete'])
    expect(world.newest.status?.blockers).toBeUndefined()
  })

  it('says Paused, and goes on when the pool does', async () => {
    const world = await settledWorld()
    const pause = (paused: boolean) =>
      world.cluster.change(MachineConfigPool, { name: 'worker' }, (object) => ({
        ...object,
        spec: { ...object.spec, paused },
      }))
    pause(true)
    world.put('50-a', '/etc/a')
    await world.converge(5)
    expect(world.newest.status).toMatchObject({ phase: 'Paused', updated: '0/2', counts: { waiting: 2 } })
    pause(false)
    await world.converge()
    expect(world.newest.status?.phase).toBe('Complete')
  })

  it('keeps as many rollouts as the pool says, the newest, and their copies alone', async () => {
    const world = await settledWorld()
    world.cluster.change(MachineConfigPool, { name: 'worker' }, (object) => ({
      ...object,
      metadata: { ...object.metadata, annotations: { [historyLimitAnnotation]: '2' } },
    }))
    for (const round of ['a', 'b', 'c']) {
      world.put('50-a', '/etc/a', round)
      await world.converge(10)
    }
    expect(phases(world)).toEqual(['worker-3 Complete', 'worker-4 Complete'])
    const kept = world.cluster.all(Secret).map(({ metadata }) => metadata.name ?? '')
    expect(kept.filter((name) => name.startsWith('history-rendered-')).sort()).toEqual(
      world.history.map(({ spec }) => `history-${spec.to}`).sort(),
    )
    // 00-worker, and 50-a as it was in the two revisions.
    expect(kept.filter((name) => name.startsWith('history-fragment-'))).toHaveLength(3)
  })
})

describe('a history that somebody touches', () => {
  it('makes a rollout again that was deleted on its way, under its name', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    world.cluster.remove(PoolRollout, { name: 'worker-2' })
    await world.converge()
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Complete'])
  })

  it('begins anew when everything was deleted', async () => {
    const world = await settledWorld()
    world.cluster.remove(PoolRollout, { name: 'worker-1' })
    await world.converge(5)
    expect(phases(world)).toEqual(['worker-1 Complete'])
  })

  it('puts an edited status, labels and owner right', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    world.cluster.change(PoolRollout, { name: 'worker-2' }, (object) => ({
      ...object,
      metadata: { ...object.metadata, labels: {}, ownerReferences: [] },
      status: { phase: 'Complete', nodes: [{ name: 'w-0', phase: 'Done', startedAt: 'yesterday' }], conditions: [] },
    }))
    world.cluster.change(PoolRollout, { name: 'worker-1' }, (object) => ({
      ...object,
      status: { ...object.status, phase: 'Paused' },
    }))
    await world.cluster.advance(2_000)
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Progressing'])
    expect(world.newest.metadata).toMatchObject({
      labels: { 'machineconfig.io/pool': 'worker' },
      ownerReferences: [{ name: 'worker' }],
    })
    await world.converge()
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Complete'])
  })

  it('removes rollouts that somebody invented, and goes on above a number that somebody took', async () => {
    const world = await settledWorld()
    world.cluster.put(PoolRollout, { metadata: { name: 'mine' }, spec: { pool: 'worker', revision: 3, to: 'x' } })
    world.cluster.put(PoolRollout, { metadata: { name: 'worker-41' }, spec: { pool: 'worker', revision: 41, to: 'x' } })
    await world.converge(5)
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-41 Superseded', 'worker-42 Complete'])
  })

  it('goes on after a restart in the middle, with the times that were recorded', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    const before = world.newest.status?.nodes?.[0]
    world.startFresh()
    await world.cluster.advance(20_000)
    expect(world.newest.status?.nodes?.[0]).toEqual(before)
    await world.converge()
    expect(phases(world)).toEqual(['worker-1 Complete', 'worker-2 Complete'])
  })
})

describe('a rendered config that is in use', () => {
  it.each(['seen by the controller', 'while no controller ran'])('comes back when it is deleted %s', async (when) => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    const name = world.history[0]?.spec.to ?? ''
    const before = world.cluster.read(MachineConfig, { name })
    world.cluster.remove(MachineConfig, { name })
    if (when === 'while no controller ran') world.startFresh()
    await world.cluster.advance(2_000)
    const after = world.cluster.read(MachineConfig, { name })
    expect(after.spec).toEqual(before.spec)
    expect(after.metadata.annotations).toEqual(before.metadata.annotations)
    expect(after.metadata.ownerReferences).toEqual(before.metadata.ownerReferences)
    expect(world.cluster.told.filter((line) => line.includes('RenderedConfigRestored'))).toHaveLength(1)
  })

  it.each(['seen by the controller', 'while no controller ran'])(
    'comes back for a node whose pool was deleted %s, and goes when no node has it',
    async (when) => {
      const world = await settledWorld()
      const { cluster } = world
      const nodeSelector = { matchLabels: { 'node-role.kubernetes.io/infra': '' } }
      cluster.put(MachineConfigPool, pool('infra', { nodeSelector }))
      cluster.put(MachineConfig, fragment('60-infra', { config: withFile('/etc/infra') }, { role: 'infra' }))
      cluster.change(Node, { name: 'w-0' }, (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { ...object.metadata.labels, 'node-role.kubernetes.io/infra': '' } },
      }))
      await world.converge()
      const name = cluster.read(MachineConfigPool, { name: 'infra' }).spec.configuration?.name ?? ''
      expect(currentOf(world, 'w-0')).toBe(name)
      const before = cluster.read(MachineConfig, { name })
      // As the garbage collector does it.
      cluster.remove(MachineConfigPool, { name: 'infra' })
      for (const { metadata } of world.history)
        if (metadata.name?.startsWith('infra-')) cluster.remove(PoolRollout, { name: metadata.name })
      cluster.remove(MachineConfig, { name })
      if (when === 'while no controller ran') world.startFresh()
      await cluster.advance(2_000)
      const after = cluster.read(MachineConfig, { name })
      expect(after.spec).toEqual(before.spec)
      expect(after.metadata.ownerReferences).toEqual([expect.objectContaining({ name: 'worker' })])
      // The API server takes one controller only: the pool itself, when it comes back.
      cluster.put(MachineConfigPool, pool('infra', { nodeSelector }))
      await cluster.advance(2_000)
      const owners = cluster.read(MachineConfig, { name }).metadata.ownerReferences ?? []
      expect(owners.filter(({ controller }) => controller)).toMatchObject([{ name: 'infra' }])
      cluster.remove(MachineConfigPool, { name: 'infra' })
      await world.converge()
      expect(currentOf(world, 'w-0')).toBe(world.pool.spec.configuration?.name)
      cluster.remove(MachineConfig, { name })
      await cluster.advance(2_000)
      expect(cluster.all(MachineConfig).some(({ metadata }) => metadata.name === name)).toBe(false)
    },
  )

  it('is not made from a copy that somebody edited', async () => {
    const world = await settledWorld()
    world.put('50-a', '/etc/a')
    await world.cluster.advance(2_000)
    const name = world.history[0]?.spec.to ?? ''
    const other = world.cluster.read(Secret, {
      name: `history-${world.newest.spec.to}`,
      namespace: 'openshift-machine-config-operator',
    })
    world.cluster.change(
      Secret,
      { name: `history-${name}`, namespace: 'openshift-machine-config-operator' },
      (object) => ({ ...object, data: other.data }),
    )
    world.cluster.remove(MachineConfig, { name })
    world.startFresh()
    await world.cluster.advance(2_000)
    expect(world.cluster.all(MachineConfig).some(({ metadata }) => metadata.name === name)).toBe(false)
  })

  it('stays away when nothing names it any more, and when its pool is gone', async () => {
    const world = await settledWorld()
    const unused = world.newest.spec.to
    world.put('50-a', '/etc/a')
    await world.converge()
    world.cluster.remove(MachineConfig, { name: unused })
    world.cluster.remove(MachineConfigPool, { name: 'worker' })
    const used =
      world.cluster.all(Node)[0]?.metadata.annotations?.['machineconfiguration.openshift.io/currentConfig'] ?? ''
    world.cluster.remove(MachineConfig, { name: used })
    await world.converge(5)
    expect(world.cluster.all(MachineConfig).map(({ metadata }) => metadata.name)).toEqual(['00-worker', '50-a'])
  })
})
