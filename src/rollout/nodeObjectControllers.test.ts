import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { aNode, aPool } from '../../test/unit/rolloutBuilders.ts'
import { Scheduler } from '../api/config.ts'
import { Node } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation, nodeLabel } from '../api/names.ts'
import { silentLog } from '../kube/log.ts'
import { controlPlaneController } from './controlPlaneController.ts'
import { machineConfigNodeController } from './machineConfigNodeController.ts'
import { writePhases } from './writePhases.ts'

function aCluster(): FakeCluster {
  const cluster = new FakeCluster()
  const ports = { cache: cluster.cache, kube: cluster.kube, clock: cluster.clock, log: silentLog }
  cluster.attach(machineConfigNodeController(ports))
  cluster.attach(controlPlaneController(ports))
  return cluster
}

const specOf = (cluster: FakeCluster) => cluster.read(MachineConfigNode, { name: 'n' }).spec

describe('machineConfigNodeController', () => {
  it('makes an object for a node, owned by it, with placeholders for what is unknown', async () => {
    const cluster = aCluster()
    const node = cluster.put(Node, aNode('n'))
    await cluster.settle()
    expect(specOf(cluster)).toEqual({
      node: { name: 'n' },
      pool: { name: 'not-yet-set' },
      configVersion: { desired: 'not-yet-set' },
    })
    const { ownerReferences } = cluster.read(MachineConfigNode, { name: 'n' }).metadata
    expect(ownerReferences).toEqual([{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: node.metadata.uid }])
  })

  it('follows the node into its pool, and fills in the config at once', async () => {
    const cluster = aCluster()
    cluster.put(Node, aNode('n'))
    await cluster.settle()
    cluster.put(MachineConfigPool, aPool('worker'))
    cluster.put(Node, aNode('n', { current: 'v0' }))
    await cluster.settle()
    expect(specOf(cluster)).toMatchObject({ pool: { name: 'worker' }, configVersion: { desired: 'v0' } })
  })

  it('leaves a target that the rollout has just written, and mends one that stays wrong', async () => {
    const cluster = aCluster()
    cluster.put(Node, aNode('n', { current: 'v0' }))
    await cluster.settle()
    cluster.change(MachineConfigNode, { name: 'n' }, (object) => ({
      ...object,
      spec: { ...object.spec, configVersion: { desired: 'v1' } },
    }))
    await cluster.settle()
    expect(specOf(cluster).configVersion.desired).toBe('v1')
    await cluster.advance(6_000)
    expect(specOf(cluster).configVersion.desired).toBe('v0')
  })

  it('skips a node that is still being made, and removes the object of one that is gone', async () => {
    const cluster = aCluster()
    cluster.put(Node, { ...aNode('coming'), status: { phase: 'Provisioning' } })
    cluster.put(Node, aNode('n'))
    await cluster.settle()
    expect(cluster.all(MachineConfigNode).map(({ metadata }) => metadata.name)).toEqual(['n'])
    cluster.remove(Node, { name: 'n' })
    await cluster.settle()
    expect(cluster.all(MachineConfigNode)).toEqual([])
  })

  it('makes the object again when somebody deletes it', async () => {
    const cluster = aCluster()
    cluster.put(Node, aNode('n'))
    await cluster.settle()
    cluster.remove(MachineConfigNode, { name: 'n' })
    await cluster.settle()
    expect(cluster.all(MachineConfigNode)).toHaveLength(1)
  })
})

describe('controlPlaneController', () => {
  const taint = { key: nodeLabel.master, effect: 'NoSchedule' } as const

  it('follows the Scheduler, and does nothing about taints without one', async () => {
    const cluster = aCluster()
    cluster.put(Node, aNode('n', { labels: { [nodeLabel.master]: '' }, taints: [taint] }))
    await cluster.settle()
    const labels = () => Object.keys(cluster.read(Node, { name: 'n' }).metadata.labels ?? {})
    expect(labels()).toEqual([nodeLabel.master, nodeLabel.controlPlane])
    expect(cluster.read(Node, { name: 'n' }).spec?.taints).toEqual([taint])
    cluster.put(Scheduler, { metadata: { name: 'cluster' }, spec: { mastersSchedulable: true } })
    await cluster.settle()
    expect(labels()).toContain(nodeLabel.worker)
    expect(cluster.read(Node, { name: 'n' }).spec?.taints).toBeUndefined()
    cluster.put(Scheduler, { metadata: { name: 'cluster' }, spec: { mastersSchedulable: false } })
    await cluster.settle()
    expect(labels()).not.toContain(nodeLabel.worker)
    expect(cluster.read(Node, { name: 'n' }).spec?.taints).toEqual([taint])
  })
})

describe('writePhases', () => {
  const phase = (message: string) =>
    ({ parent: { state: 'UpdatePrepared', status: 'True', reason: 'UpdatePrepared', message } }) as const
  const signal = new AbortController().signal

  it('creates the object with its status, and writes nothing the second time', async () => {
    const cluster = aCluster()
    const node = cluster.put(Node, aNode('n', { current: 'v0', desired: 'v1', state: 'Working' }))
    const target = { node, pool: 'worker', featureGates: new Set<string>() }
    await writePhases(cluster.kube, target, [phase('ready')], cluster.clock.now(), signal)
    const { status } = cluster.read(MachineConfigNode, { name: 'n' })
    expect(status?.conditions).toHaveLength(14)
    expect(status?.configVersion).toEqual({ current: 'v0', desired: 'v1' })
    cluster.writes.length = 0
    await writePhases(cluster.kube, target, [phase('ready')], cluster.clock.now(), signal)
    expect(cluster.writes).toEqual([])
  })

  it('says several phases in one write, and answers what the object then is', async () => {
    const cluster = aCluster()
    const node = cluster.put(Node, aNode('n', { current: 'v0', desired: 'v1', state: 'Working' }))
    const target = { node, pool: 'worker', featureGates: new Set<string>() }
    await writePhases(cluster.kube, target, [phase('ready')], cluster.clock.now(), signal)
    cluster.writes.length = 0
    const rebooted = { state: 'RebootedNode', status: 'True', reason: 'RebootedNode', message: 'r' } as const
    const reports = [{ parent: rebooted }, phase('again')]
    const written = await writePhases(cluster.kube, target, reports, cluster.clock.now(), signal)
    expect(cluster.writes).toHaveLength(1)
    expect(written).toEqual(cluster.read(MachineConfigNode, { name: 'n' }))
    const said = written?.status?.conditions?.filter(({ message }) => ['r', 'again'].includes(message))
    expect(said?.map(({ type }) => type).sort()).toEqual(['RebootedNode', 'UpdatePrepared'])
  })

  it('computes its write again when another writer was faster', async () => {
    const cluster = aCluster()
    const annotations = { [nodeAnnotation.desiredDrain]: '' }
    const node = cluster.put(Node, aNode('n', { current: 'v0', annotations }))
    const target = { node, pool: 'worker', featureGates: new Set<string>() }
    await writePhases(cluster.kube, target, [phase('one')], cluster.clock.now(), signal)
    const stale = cluster.read(MachineConfigNode, { name: 'n' })
    const cordoned = { state: 'Cordoned', status: 'True', reason: 'Cordoned', message: 'c' } as const
    await writePhases(cluster.kube, target, [{ parent: cordoned }], cluster.clock.now(), signal)
    await writePhases(cluster.kube, { ...target, stored: stale }, [phase('two')], cluster.clock.now(), signal)
    const conditions = cluster.read(MachineConfigNode, { name: 'n' }).status?.conditions ?? []
    expect(conditions.find(({ type }) => type === 'Cordoned')?.message).toBe('c')
    expect(conditions.find(({ type }) => type === 'UpdatePrepared')?.message).toBe('two')
  })
})
