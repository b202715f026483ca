import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { aPool } from '../../test/unit/rolloutBuilders.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { silentLog } from '../kube/log.ts'
import { pauseController } from './pauseController.ts'

const hourMs = 3_600_000

/** A cluster at 2026-01-01T00:00Z with one pool and this controller. */
function world(annotations: Readonly<Record<string, string>>, paused = true): FakeCluster {
  const cluster = new FakeCluster()
  const { cache, kube, clock, events } = cluster
  cluster.attach(pauseController({ cache, kube, clock, events, log: silentLog }))
  cluster.put(MachineConfigPool, aPool('worker', { paused, annotations }))
  return cluster
}

const poolOf = (cluster: FakeCluster): MachineConfigPool => cluster.read(MachineConfigPool, { name: 'worker' })

const until = {
  'machineconfig.io/paused-by': 'ada',
  'machineconfig.io/paused-at': '2025-12-31T00:00:00Z',
  'machineconfig.io/pause-until': '2026-01-01T08:00:00Z',
}

describe('pauseController', () => {
  it('only tells, once, when the end of a pause has passed', async () => {
    const cluster = world(until)
    await cluster.advance(7 * hourMs)
    expect(cluster.told).toEqual([])
    await cluster.advance(2 * hourMs)
    cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({ ...pool, status: { machineCount: 1 } }))
    await cluster.advance(hourMs)
    expect(cluster.told).toEqual([
      'worker: Warning PauseOverdue The pause was meant to end at 2026-01-01T08:00:00Z and does not end by itself; mco resume mcp/worker shows what waits and resumes',
    ])
    expect(cluster.writes).toEqual([])
    expect(poolOf(cluster).spec.paused).toBe(true)
  })

  it('resumes when asked to, not before the end, and leaves no record', async () => {
    const cluster = world({ ...until, 'machineconfig.io/pause-then': 'resume', other: 'stays' })
    await cluster.advance(7 * hourMs)
    expect(poolOf(cluster).spec.paused).toBe(true)
    await cluster.advance(2 * hourMs)
    expect(poolOf(cluster).spec.paused).toBe(false)
    expect(poolOf(cluster).metadata.annotations).toEqual({ other: 'stays' })
    expect(cluster.told).toEqual([
      'worker: Normal PauseEnded The pause by ada ended at 2026-01-01T08:00:00Z, as it asked for',
    ])
  })

  it('does not take the wish of an earlier pause for that of this one', async () => {
    const cluster = world({ ...until, 'machineconfig.io/pause-then': 'resume' })
    const managedFields = [
      {
        manager: 'mco',
        time: '2025-12-31T00:00:00Z',
        fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:machineconfig.io/paused-at': {} } } },
      },
      { manager: 'kubectl-patch', time: '2026-01-01T01:00:00Z', fieldsV1: { 'f:spec': { 'f:paused': {} } } },
    ]
    cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({
      ...pool,
      metadata: { ...pool.metadata, managedFields },
    }))
    await cluster.advance(24 * hourMs)
    expect(poolOf(cluster).spec.paused).toBe(true)
    expect(cluster.writes).toEqual([])
  })

  it('forgets a pause that somebody ended, and nothing that was written before one', async () => {
    const ended = world(until, false)
    await ended.advance(1000)
    expect(poolOf(ended).metadata.annotations).toEqual({})
    const ahead = world({ 'machineconfig.io/pause-reason': 'soon' }, false)
    await ahead.advance(1000)
    expect(ahead.writes).toEqual([])
  })

  it('keeps the end that was moved while it waited', async () => {
    const cluster = world({ ...until, 'machineconfig.io/pause-then': 'resume' })
    await cluster.advance(hourMs)
    cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({
      ...pool,
      metadata: {
        ...pool.metadata,
        annotations: { ...pool.metadata.annotations, 'machineconfig.io/pause-until': '2026-01-02T08:00:00Z' },
      },
    }))
    await cluster.advance(12 * hourMs)
    expect(poolOf(cluster).spec.paused).toBe(true)
    await cluster.advance(24 * hourMs)
    expect(poolOf(cluster).spec.paused).toBe(false)
  })
})
