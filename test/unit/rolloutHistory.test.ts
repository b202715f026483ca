import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Node } from '../../src/api/core.ts'
import { MachineConfigNode } from '../../src/api/machineConfigNode.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { action, nodeNames, World } from './rolloutWorld.ts'

/**
 * Random histories of one pool: new configs (some that fail, some that break the node), pauses, outages, cordons by
 * hand, closed budgets, watches that lag. Whatever happened: never more nodes disrupted by us than the budget, a pool
 * that the controller knows as paused never moves, and once the world is well again every node gets to the target.
 */
it('every random history keeps the budget, respects the pause, and converges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), fc.integer({ min: 1, max: 3 }), async (actions, max) => {
      const world = new World(max)
      for (const next of actions) await world.act(next)
      await world.heal()
      expect(world.violations).toEqual([])
      expect(world.summary()).toEqual(nodeNames.map((name) => `${name} final Done schedulable`))
      expect(world.cluster.read(MachineConfigPool, { name: 'worker' }).status).toMatchObject({
        updatedMachineCount: nodeNames.length,
        configuration: { name: 'final' },
      })
    }),
    { numRuns: 150 },
  )
}, 60_000)

it('a revert converges while a budget still blocks every drain of the bad config', async () => {
  const world = new World(2)
  await world.act({ kind: 'budget', allowed: 0 })
  await world.act({ kind: 'target', config: 'fails' })
  await world.run(20)
  expect(world.cluster.all(Node).filter(({ spec }) => spec?.unschedulable)).toHaveLength(2)
  await world.act({ kind: 'target', config: 'start' })
  await world.run(20)
  expect(world.summary()).toEqual(nodeNames.map((name) => `${name} start Done schedulable`))
})

it('a revert reaches nodes that the bad config made NotReady', async () => {
  const world = new World(1)
  await world.act({ kind: 'target', config: 'breaks' })
  await world.run(20)
  expect(world.summary()).toContain('n0 breaks Done schedulable')
  await world.act({ kind: 'target', config: 'start' })
  await world.run(20)
  expect(world.summary()).toEqual(nodeNames.map((name) => `${name} start Done schedulable`))
})

it('every node has its MachineConfigNode, in its pool and at its target', async () => {
  const world = new World(1)
  await world.act({ kind: 'budget', allowed: 4 })
  await world.act({ kind: 'target', config: 'fine-1' })
  await world.run(40)
  const objects = world.cluster.all(MachineConfigNode)
  expect(objects.map(({ spec }) => [spec.node.name, spec.pool.name, spec.configVersion.desired])).toEqual(
    nodeNames.map((name) => [name, 'worker', 'fine-1']),
  )
  world.cluster.remove(Node, { name: 'n0' })
  await world.cluster.settle()
  expect(world.cluster.all(MachineConfigNode).map(({ metadata }) => metadata.name)).toEqual(['n1', 'n2', 'n3'])
})
