import { describe, expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { aNode, aPool } from '../../test/unit/rolloutBuilders.ts'
import { Node } from '../api/core.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { nodeAnnotation } from '../api/names.ts'
import { silentLog } from '../kube/log.ts'
import { overdueRebootAnnotation, rebootLimitAnnotation } from './overdueReboot.ts'
import { overdueRebootController } from './overdueRebootController.ts'

function aCluster() {
  const cluster = new FakeCluster()
  const { cache, kube, clock } = cluster
  const events: string[] = []
  const ports = {
    cache,
    kube,
    clock,
    log: silentLog,
    events: {
      event: (
        object: { readonly kind?: string; readonly metadata: { readonly name?: string } },
        type: string,
        reason: string,
      ) => events.push(`${object.metadata.name} ${type} ${reason}`),
    },
  }
  cluster.attach(overdueRebootController(ports))
  cluster.put(MachineConfigPool, aPool('worker'))
  const annotations = { [nodeAnnotation.postConfigAction]: 'Rebooting' }
  cluster.put(Node, aNode('n', { current: 'v0', desired: 'v1', state: 'Working', annotations }))
  const condition = { type: 'RebootedNode', status: 'Unknown', reason: 'RebootedNode', message: 'm' } as const
  cluster.put(MachineConfigNode, {
    metadata: { name: 'n' },
    spec: { node: { name: 'n' }, pool: { name: 'worker' }, configVersion: { desired: 'v1' } },
    status: { conditions: [{ ...condition, lastTransitionTime: clock.now().toISOString() }] },
  } as unknown as MachineConfigNode)
  const told = () => cluster.read(Node, { name: 'n' }).metadata.annotations?.[overdueRebootAnnotation]
  return { cluster, events, told, ports }
}

describe('overdueRebootController', () => {
  it('follows the limit of the pool, also when it changes during a reboot', async () => {
    const { cluster, told } = aCluster()
    const limit = (text: string) =>
      cluster.change(MachineConfigPool, { name: 'worker' }, (pool) => ({
        ...pool,
        metadata: { ...pool.metadata, annotations: { [rebootLimitAnnotation]: text } },
      }))
    limit('30m')
    await cluster.settle()
    await cluster.advance(20 * 60_000)
    expect(told()).toBeUndefined()
    limit('15m')
    await cluster.settle()
    await cluster.advance(1_000)
    expect(told()).toMatch(/after more than 15 minutes/)
  })

  it('tells once on the node and its pool after ten minutes, and takes it back when the node is there', async () => {
    const { cluster, events, told, ports } = aCluster()
    await cluster.settle()
    await cluster.advance(9 * 60_000)
    expect([told(), events]).toEqual([undefined, []])
    await cluster.advance(2 * 60_000)
    expect(told()).toMatch(/^it is not back from the reboot/)
    expect(events).toEqual(['n Warning RebootOverdue', 'worker Warning RebootOverdue'])
    // A controller that starts now knows that it was told.
    await overdueRebootController(ports).reconcile('n', new AbortController().signal)
    expect(events).toHaveLength(2)
    cluster.change(Node, { name: 'n' }, (node) => ({
      ...node,
      metadata: {
        ...node.metadata,
        annotations: { ...node.metadata.annotations, [nodeAnnotation.postConfigAction]: '' },
      },
    }))
    await cluster.settle()
    expect(told()).toBeUndefined()
  })
})
