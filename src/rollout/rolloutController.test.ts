import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { aNode, aPool } from '../../test/unit/rolloutBuilders.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node, Pod } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation, operatorNamespace } from '../api/names.ts'
import { ApiError } from '../kube/kubeApi.ts'
import { silentLog } from '../kube/log.ts'
import { rolloutController } from './rolloutController.ts'
import { rolloutIndices } from './rolloutWatches.ts'
import { waitingNodesAnnotation } from './waitingSummary.ts'

function aCluster(): FakeCluster {
  const cluster = new FakeCluster(rolloutIndices)
  const { cache, kube, clock, events } = cluster
  cluster.attach(rolloutController({ cache, kube, clock, events, log: silentLog }))
  return cluster
}

const annotation = (cluster: FakeCluster, name: string, key: string): string | undefined =>
  cluster.read(Node, { name }).metadata.annotations?.[key]

const targeted = (cluster: FakeCluster, config: string): string[] =>
  cluster
    .all(Node)
    .filter(({ metadata }) => metadata.annotations?.[nodeAnnotation.desiredConfig] === config)
    .map(({ metadata }) => metadata.name ?? '')

describe('rolloutController', () => {
  it('targets the oldest node, writes its MachineConfigNode first, and shows who waits', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker'))
    cluster.put(Node, aNode('young', { current: 'v0', created: '2025-02-01T00:00:00Z' }))
    cluster.put(Node, aNode('old', { current: 'v0' }))
    cluster.put(MachineConfigNode, {
      metadata: { name: 'old' },
      spec: { node: { name: 'old' }, pool: { name: 'worker' }, configVersion: { desired: 'v0' } },
    })
    await cluster.settle()
    expect(targeted(cluster, 'v1')).toEqual(['old'])
    const order = cluster.writes.map(({ kind, name }) => `${kind} ${name}`)
    expect(order.indexOf('MachineConfigNode old')).toBeLessThan(order.indexOf('Node old'))
    const pool = cluster.read(MachineConfigPool, { name: 'worker' })
    expect(pool.status).toMatchObject({ machineCount: 2, updatedMachineCount: 0, unavailableMachineCount: 1 })
    expect(JSON.parse(pool.metadata.annotations?.[waitingNodesAnnotation] ?? '')).toMatchObject({
      target: 'v1',
      waiting: 1,
      reasons: { AtCapacity: 1 },
      nodes: [{ node: 'young' }],
    })
    expect(cluster.told).toContain('worker: Normal SetDesiredConfig Targeted node old to MachineConfig: v1')
  })

  it('announces a new target, and none when a node joins or drifts', async () => {
    const cluster = aCluster()
    const announced = () => cluster.told.filter((line) => line.includes('now targeting'))
    cluster.put(MachineConfigPool, aPool('worker'))
    cluster.put(Node, aNode('a', { current: 'v1' }))
    await cluster.settle()
    cluster.change(Node, { name: 'a' }, () => aNode('a', { current: 'v1', state: 'Degraded' }))
    cluster.put(Node, aNode('b'))
    await cluster.settle()
    expect(announced()).toEqual([])
    cluster.change(Node, { name: 'a' }, () => aNode('a', { current: 'v1' }))
    cluster.change(Node, { name: 'b' }, () => aNode('b', { current: 'v1' }))
    await cluster.settle()
    cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({
      ...pool,
      spec: { ...pool.spec, configuration: { name: 'v2' } },
    }))
    await cluster.settle()
    expect(announced()).toEqual(['worker: Normal Updating Pool worker now targeting MachineConfig v2'])
  })

  it('writes nothing on a second look', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker', { maxUnavailable: 2 }))
    for (const name of ['a', 'b', 'c']) cluster.put(Node, aNode(name, { current: 'v0' }))
    await cluster.settle()
    cluster.writes.length = 0
    cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({ ...pool }))
    await cluster.settle()
    expect(cluster.writes).toEqual([])
  })

  it('knows its own last write before the watch brings it', async () => {
    const cluster = aCluster()
    const labels = { 'node-role.kubernetes.io/master': '' }
    cluster.put(MachineConfigPool, aPool('master'))
    for (const name of ['a', 'b']) cluster.put(Node, aNode(name, { current: 'v0', labels }))
    cluster.put(Pod, operatorOn('a'))
    cluster.deliver()
    await cluster.step()
    expect(targeted(cluster, 'v1')).toEqual(['b'])
    // The operator moves: by the cache alone b would be put off and a sent off beside it.
    cluster.put(Pod, operatorOn('b'))
    cluster.deliverOnly(Pod)
    cluster.deliverOnly(MachineConfigPool)
    await cluster.reconcile('rollout', 'master')
    expect(targeted(cluster, 'v1')).toEqual(['b'])
  })

  it('ignores a heartbeat', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker'))
    cluster.put(Node, aNode('a', { current: 'v1' }))
    await cluster.settle()
    cluster.change(Node, { name: 'a' }, (node) => ({
      ...node,
      status: { conditions: [{ ...node.status.conditions[0], lastHeartbeatTime: '2026-01-01T00:00:10Z' }] },
    }))
    cluster.deliver()
    expect(await cluster.step()).toBe(false)
  })

  it('leaves a paused pool alone, but for its status', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker', { paused: true }))
    cluster.put(Node, aNode('a', { current: 'v0' }))
    await cluster.settle()
    expect(cluster.writes.filter(({ kind }) => kind === 'Node')).toEqual([])
    const pool = cluster.read(MachineConfigPool, { name: 'worker' })
    expect(pool.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Updating', message: 'Pool is paused; will not update to MachineConfig v1' }),
    )
    expect(pool.metadata.annotations?.[waitingNodesAnnotation]).toContain('waits until spec.paused is false')
  })

  it('goes on with the other nodes when one cannot be written, and comes back for it', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker', { maxUnavailable: 2 }))
    for (const name of ['a', 'b']) cluster.put(Node, aNode(name, { current: 'v0' }))
    let isBroken = true
    cluster.fault = ({ kind, name }) => (isBroken && kind === 'Node' && name === 'a' ? serverError() : undefined)
    await cluster.settle()
    expect(targeted(cluster, 'v1')).toEqual(['b'])
    isBroken = false
    await cluster.advance(2_000)
    expect(targeted(cluster, 'v1')).toEqual(['a', 'b'])
  })

  it('sends taints with the version they were computed from', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker'))
    cluster.put(Node, aNode('a', { current: 'v0' }))
    await cluster.settle()
    const taints = cluster.writes.find(({ kind, body }) => kind === 'Node' && body.spec?.taints)
    expect(taints?.body.metadata.resourceVersion).toMatch(/^\d+$/)
  })

  it('tells the master pool about changes of its nodes, and writes the topology', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('master'))
    const spec = { infra: { status: { controlPlaneTopology: 'SingleReplica' } } }
    cluster.put(ControllerConfig, {
      metadata: { name: 'machine-config-controller' },
      spec,
    } as unknown as ControllerConfig)
    cluster.put(Node, aNode('m', { current: 'v1', labels: { 'node-role.kubernetes.io/master': '' } }))
    await cluster.settle()
    expect(annotation(cluster, 'm', nodeAnnotation.controlPlaneTopology)).toBe('SingleReplica')
    cluster.change(Node, { name: 'm' }, ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [nodeAnnotation.state]: 'Working' } },
    }))
    await cluster.settle()
    expect(cluster.told).toContain(`master: Normal AnnotationChange Node m now has ${nodeAnnotation.state}=Working`)
  })

  it('says that a pool selects everything, and stops there', async () => {
    const cluster = aCluster()
    cluster.put(MachineConfigPool, aPool('worker', { selector: {} }))
    await cluster.settle()
    expect(cluster.told).toEqual([
      'worker: Warning SelectingAll This machineconfigpool is selecting all nodes. A non-empty selector is required.',
    ])
    expect(cluster.writes).toEqual([])
  })

  it('tells a node of two custom pools that nobody counts it, once', async () => {
    const cluster = aCluster()
    for (const name of ['infra', 'gpu']) cluster.put(MachineConfigPool, aPool(name))
    const labels = { 'node-role.kubernetes.io/infra': '', 'node-role.kubernetes.io/gpu': '' }
    cluster.put(Node, aNode('n', { current: 'v0', labels }))
    await cluster.settle()
    expect(cluster.told.filter((text) => text.includes('PoolConflict'))).toEqual([
      'n: Warning PoolConflict node n belongs to 2 custom roles, cannot proceed with this Node',
    ])
    expect(targeted(cluster, 'v1')).toEqual([])
  })

  it('moves masters before the arbiter, and never both', async () => {
    const cluster = aCluster()
    const spec = { infra: { status: { controlPlaneTopology: 'HighlyAvailableArbiter' } } }
    cluster.put(ControllerConfig, {
      metadata: { name: 'machine-config-controller' },
      spec,
    } as unknown as ControllerConfig)
    for (const name of ['master', 'arbiter']) {
      cluster.put(MachineConfigPool, aPool(name))
      cluster.put(Node, aNode(name, { current: 'v0', labels: { [`node-role.kubernetes.io/${name}`]: '' } }))
    }
    await cluster.settle()
    expect(targeted(cluster, 'v1')).toEqual(['master'])
    cluster.change(Node, { name: 'master' }, ({ metadata, ...node }) => ({
      ...node,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [nodeAnnotation.currentConfig]: 'v1' } },
    }))
    await cluster.settle()
    expect(targeted(cluster, 'v1')).toEqual(['master', 'arbiter'])
  })
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

const operatorOn = (node: string): Pod => ({
  metadata: { name: 'operator', namespace: operatorNamespace, labels: { 'k8s-app': 'machine-config-operator' } },
  spec: { containers: [], nodeName: node },
})
