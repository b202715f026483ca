import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { aBudget, aNode, aPod, aPool } from '../../test/unit/rolloutBuilders.ts'
import { DaemonSet } from '../api/apps.ts'
import { Node, Pod } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation } from '../api/names.ts'
import { PodDisruptionBudget } from '../api/policy.ts'
import { ApiError } from '../kube/kubeApi.ts'
import { silentLog } from '../kube/log.ts'
import { drainController, goDuration } from './drainController.ts'
import type { DrainMetrics } from './drainMetrics.ts'
import { drainIndices } from './drainWatches.ts'

interface Counted extends DrainMetrics {
  granted: number
  refused: number
  readonly drainedMs: number[]
}

function aCluster(): { cluster: FakeCluster; metrics: Counted; restart: () => void } {
  const cluster = new FakeCluster(drainIndices)
  const metrics: Counted = {
    granted: 0,
    refused: 0,
    drainedMs: [],
    drained: (_node, ms) => void metrics.drainedMs.push(ms),
    evictions(granted, refused) {
      metrics.granted += granted
      metrics.refused += refused
    },
  }
  const { cache, kube, clock, events } = cluster
  const attach = () => cluster.attach(drainController({ cache, kube, clock, events, metrics, log: silentLog }))
  attach()
  return { cluster, metrics, restart: attach }
}

const asking = (request: string, applied = '') => ({
  annotations: { [nodeAnnotation.desiredDrain]: request, [nodeAnnotation.lastAppliedDrain]: applied },
})

const nodeWrites = (cluster: FakeCluster) =>
  cluster.writes.filter(({ kind }) => kind === 'Node').map(({ body }) => body)
const annotationsOf = (cluster: FakeCluster) => cluster.read(Node, { name: 'n1' }).metadata.annotations ?? {}
const endPod = (cluster: FakeCluster, name: string) => cluster.remove(Pod, { name, namespace: 'default' })

describe('drainController', () => {
  it('uncordons with two writes', async () => {
    const { cluster } = aCluster()
    cluster.put(Node, aNode('n1', { unschedulable: true, ...asking('uncordon-x') }))
    await cluster.settle()
    expect(nodeWrites(cluster)).toEqual([
      { spec: { unschedulable: false } },
      { metadata: { annotations: { [nodeAnnotation.lastAppliedDrain]: 'uncordon-x' } } },
    ])
  })

  it('drains an empty node with two writes, the cordon first', async () => {
    const { cluster } = aCluster()
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.settle()
    const [cordon, answer] = nodeWrites(cluster)
    expect(nodeWrites(cluster)).toHaveLength(2)
    expect(cordon.spec).toEqual({ unschedulable: true })
    expect(answer.metadata.annotations[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
    expect(Object.keys(annotationsOf(cluster)).filter((key) => key.startsWith('machineconfig.io/'))).toEqual([])
  })

  it('does not acknowledge a node that somebody has uncordoned meanwhile', async () => {
    const { cluster } = aCluster()
    cluster.put(Node, aNode('n1', asking('drain-x')))
    cluster.deliver()
    const get = cluster.kube.get
    cluster.kube.get = async (kind, key, options) => {
      const object = await get(kind, key, options)
      return kind === (Node as unknown) ? { ...object, spec: { unschedulable: false } } : object
    }
    await cluster.step()
    expect(nodeWrites(cluster)).toHaveLength(1)
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('')
  })

  it('evicts side by side, leaves DaemonSet pods, and goes on when the last pod ends', async () => {
    const { cluster } = aCluster()
    cluster.put(DaemonSet, { metadata: { name: 'agent', namespace: 'default' } })
    cluster.put(Pod, aPod('agent', { owner: { kind: 'DaemonSet', name: 'agent' } }))
    for (const name of ['a', 'b']) cluster.put(Pod, aPod(name))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.settle()
    expect(cluster.writes.filter(({ verb }) => verb === 'evict').map(({ name }) => name)).toEqual(['a', 'b'])
    endPod(cluster, 'a')
    await cluster.settle()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('')
    endPod(cluster, 'b')
    await cluster.settle()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
  })

  it('sees a pod that the cache does not show yet', async () => {
    const { cluster } = aCluster()
    cluster.put(Node, aNode('n1', asking('drain-x')))
    cluster.deliver()
    cluster.put(Pod, aPod('late'))
    await cluster.step()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('')
    await cluster.settle()
    endPod(cluster, 'late')
    await cluster.settle()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
  })

  it('tells who blocks at the first refusal: on the node, its MachineConfigNode and by an event', async () => {
    const { cluster } = aCluster()
    cluster.put(Node, aNode('n2', { unschedulable: true }))
    cluster.put(PodDisruptionBudget, aBudget('web', 0))
    cluster.put(Pod, aPod('web-0'))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.settle()
    const sentence =
      'pod default/web-0 cannot be evicted: PodDisruptionBudget web allows 0 disruptions (1 healthy, 1 required); ' +
      'no node can take a replacement: 1 of 2 nodes: unschedulable; 1 node: being drained'
    expect(cluster.told).toEqual([`n1: Warning DrainBlocked ${sentence}`])
    const shown = JSON.parse(annotationsOf(cluster)['machineconfig.io/drain-blockers'] ?? '')
    expect(shown).toMatchObject({ attempts: 1, total: 1, blockers: [{ pod: 'web-0', message: sentence }] })
    const conditions = cluster.read(MachineConfigNode, { name: 'n1' }).status?.conditions ?? []
    expect(conditions.find(({ type }) => type === 'Drained')).toMatchObject({
      status: 'Unknown',
      message: expect.stringContaining(sentence),
    })
    expect(conditions.find(({ type }) => type === 'Cordoned')?.status).toBe('True')
  })

  it('is woken by the budget, without waiting for the clock', async () => {
    const { cluster } = aCluster()
    cluster.put(PodDisruptionBudget, aBudget('web', 0))
    cluster.put(Pod, aPod('web-0'))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.advance(100_000)
    cluster.put(PodDisruptionBudget, aBudget('web', 1, 2, 1))
    await cluster.settle()
    expect(cluster.read(Pod, { name: 'web-0', namespace: 'default' }).metadata.deletionTimestamp).toBeDefined()
    endPod(cluster, 'web-0')
    await cluster.settle()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
    expect(annotationsOf(cluster)).not.toHaveProperty('machineconfig.io/drain-blockers')
  })

  it('warns after ten minutes and fails after an hour, counted from the first cordon even over a restart', async () => {
    const { cluster, restart } = aCluster()
    cluster.put(PodDisruptionBudget, aBudget('web', 0))
    cluster.put(Pod, aPod('web-0'))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.advance(9 * 60_000)
    expect(cluster.told.filter((text) => text.includes('DrainThresholdExceeded'))).toEqual([])
    await cluster.advance(4 * 60_000)
    expect(cluster.told.filter((text) => text.includes('DrainThresholdExceeded'))).toHaveLength(1)
    restart()
    cluster.change(Node, { name: 'n1' }, (node) => ({ ...node, spec: { ...node.spec, unschedulable: true } }))
    await cluster.advance(48 * 60_000)
    expect(cluster.told).toContain(
      'n1: Warning DrainFailed node n1: drain exceeded timeout: 1h0m0s. Will continue to retry.',
    )
  })

  it('forgets an unfinished drain when the node is uncordoned', async () => {
    const { cluster, metrics } = aCluster()
    cluster.put(PodDisruptionBudget, aBudget('web', 0))
    cluster.put(Pod, aPod('web-0'))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.advance(61 * 60_000)
    expect(metrics).toMatchObject({ granted: 0, drainedMs: [] })
    expect(metrics.refused).toBeGreaterThan(1)
    cluster.put(
      Node,
      aNode('n1', {
        unschedulable: true,
        annotations: { ...annotationsOf(cluster), [nodeAnnotation.desiredDrain]: 'uncordon-w' },
      }),
    )
    await cluster.settle()
    expect(Object.keys(annotationsOf(cluster)).filter((key) => key.startsWith('machineconfig.io/'))).toEqual([])
  })

  it('gives a node back whose drain was withdrawn for the config that its last uncordon was for', async () => {
    const { cluster } = aCluster()
    cluster.put(PodDisruptionBudget, aBudget('web', 0))
    cluster.put(Pod, aPod('web-0'))
    const before = { [nodeAnnotation.lastAppliedDrain]: 'uncordon-w' }
    cluster.put(Node, aNode('n1', { annotations: { ...before, [nodeAnnotation.desiredDrain]: 'drain-x' } }))
    await cluster.settle()
    expect(cluster.read(Node, { name: 'n1' }).spec?.unschedulable).toBe(true)
    cluster.put(
      Node,
      aNode('n1', {
        unschedulable: true,
        annotations: { ...annotationsOf(cluster), [nodeAnnotation.desiredDrain]: 'uncordon-w' },
      }),
    )
    await cluster.settle()
    expect(cluster.read(Node, { name: 'n1' }).spec?.unschedulable).toBe(false)
    expect(Object.keys(annotationsOf(cluster)).filter((key) => key.startsWith('machineconfig.io/'))).toEqual([])
  })

  it('tries a failed cordon again', async () => {
    const { cluster } = aCluster()
    let isDown = true
    cluster.fault = ({ kind }) => (isDown && kind === 'Node' ? serverError() : undefined)
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.settle()
    isDown = false
    await cluster.advance(2_000)
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
  })

  it('uncordons a node of two custom pools', async () => {
    const { cluster } = aCluster()
    for (const name of ['infra', 'gpu']) cluster.put(MachineConfigPool, aPool(name))
    const labels = { 'node-role.kubernetes.io/infra': '', 'node-role.kubernetes.io/gpu': '' }
    cluster.put(Node, aNode('n1', { unschedulable: true, labels, ...asking('uncordon-x') }))
    await cluster.settle()
    expect(cluster.read(Node, { name: 'n1' }).spec?.unschedulable).toBe(false)
  })

  it('deletes protected pods where the pool says so, after the time that it gives', async () => {
    const { cluster } = aCluster()
    cluster.put(MachineConfigPool, aPool('worker', { annotations: { 'machineconfig.io/drain-force-after': '5m' } }))
    cluster.put(PodDisruptionBudget, aBudget('web', 0))
    cluster.put(Pod, aPod('web-0'))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.advance(4 * 60_000)
    expect(cluster.writes.filter(({ verb }) => verb === 'delete')).toEqual([])
    await cluster.advance(3 * 60_000)
    expect(cluster.writes.filter(({ verb }) => verb === 'delete').map(({ name }) => name)).toEqual(['web-0'])
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
  })

  it('evicts nobody while the skip selector cannot be read, says so once, and goes on when it can', async () => {
    const { cluster } = aCluster()
    const key = 'machineconfig.io/drain-skip-selector'
    cluster.put(MachineConfigPool, aPool('worker', { annotations: { [key]: 'app in database' } }))
    for (const app of ['web', 'database']) cluster.put(Pod, aPod(`${app}-0`, { labels: { app } }))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.advance(5 * 60_000)
    expect(cluster.writes.filter(({ verb }) => verb === 'evict')).toEqual([])
    expect(cluster.told.filter((text) => text.includes('DrainHeld'))).toHaveLength(1)
    cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({
      ...pool,
      metadata: { ...pool.metadata, annotations: { [key]: 'app=database' } },
    }))
    await cluster.advance(60_000)
    expect(cluster.writes.filter(({ verb }) => verb === 'evict').map(({ name }) => name)).toEqual(['web-0'])
    endPod(cluster, 'web-0')
    await cluster.settle()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
    expect(cluster.all(Pod).map(({ metadata }) => metadata.name)).toEqual(['database-0'])
  })

  it('gives pods the grace period of the pool, where it names one', async () => {
    const { cluster } = aCluster()
    const asked: unknown[] = []
    const { evict } = cluster.kube
    cluster.kube.evict = (key, options) => {
      asked.push(options?.gracePeriodSeconds)
      return evict(key, options)
    }
    cluster.put(MachineConfigPool, aPool('worker', { annotations: { 'machineconfig.io/drain-grace-period': '90s' } }))
    cluster.put(Pod, aPod('web-0'))
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.settle()
    expect(asked).toEqual([90])
  })

  it('asks a person about a request that it does not know', async () => {
    const { cluster } = aCluster()
    cluster.put(Node, aNode('n1', asking('reboot-x')))
    await cluster.settle()
    expect(cluster.terminal).toEqual(['node n1: non-recognized drain verb detected reboot'])
  })

  it('drains although MachineConfigNodes cannot be written', async () => {
    const { cluster } = aCluster()
    cluster.fault = ({ kind }) => (kind === 'MachineConfigNode' ? serverError() : undefined)
    cluster.put(Node, aNode('n1', asking('drain-x')))
    await cluster.settle()
    expect(annotationsOf(cluster)[nodeAnnotation.lastAppliedDrain]).toBe('drain-x')
  })
})

it.each([
  [3_600_000, '1h0m0s'],
  [90_000, '1m30s'],
  [5_000, '5s'],
])('goDuration writes %i as %s', (ms, text) => {
  expect(goDuration(ms)).toBe(text)
})

const serverError = () =>
  new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 500,
    reason: 'InternalError',
  })
