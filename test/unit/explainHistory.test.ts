import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Node } from '../../src/api/core.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import { falseOnes, findingsOf, truths } from './findingTruths.ts'
import { aPool } from './rolloutBuilders.ts'
import { type Action, action, anyNodeName, configs, World } from './rolloutWorld.ts'

/**
 * Random histories with faults that stay: every finding is true of the state that it was made from, whenever it is asked for;
 * and a node that is not done although everybody had half an hour has a cause, its own or its pool's.
 */
const fault: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('deaf' as const, 'hears' as const, 'role' as const, 'unrole' as const, 'stick' as const),
    node: anyNodeName,
  }),
  fc.record({ kind: fc.constantFrom('outage' as const, 'cordon' as const), node: anyNodeName }),
  fc.record({ kind: fc.constant('lose' as const), config: fc.constantFrom(...configs) }),
  fc.record({ kind: fc.constant('limit' as const), value: fc.constantFrom(1, 2, -1, '50%', 'many') }),
  fc.record({ kind: fc.constant('budget' as const), allowed: fc.constantFrom(0, 0, 4) }),
)
const anything = fc.oneof({ weight: 3, arbitrary: action }, { weight: 1, arbitrary: fault })

it('names a cause for every node that is not done for long, and never a false one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (actions, max) => {
      const world = aWorld(max)
      for (const next of actions) {
        await world.act(next)
        expect(falseOnes(world)).toEqual([])
      }
      const look = () => expect(falseOnes(world)).toEqual([])
      await world.run(10, look)
      await world.run(60)
      look()
      expect(unexplained(world)).toEqual([])
    }),
    { numRuns: 150 },
  )
}, 120_000)

const all = ['n0', 'n1', 'n2', 'n3'] as const
const target = (config: string): Action => ({ kind: 'target', config })
const fine = target('fine-1')

/** One history for each cause: the random ones meet them in combinations, these for certain. */
const histories: Readonly<Record<string, (world: World) => Promise<void>>> = {
  DrainBlockedByBudget: (world) => play(world, [{ kind: 'budget', allowed: 0 }, fine]),
  PodStuckTerminating: (world) => play(world, [...all.map((node) => ({ kind: 'stick', node }) as const), fine]),
  UpdateFailed: (world) => play(world, [target('fails')]),
  NodeDegraded: async (world) => {
    await play(world, [target('fails')])
    await world.run(20)
    await play(world, [...all.map((node) => ({ kind: 'deaf', node }) as const), target('start')])
  },
  NodeCordoned: (world) => play(world, [{ kind: 'cordon', node: 'n0' }, fine]),
  NodeNotReady: (world) => play(world, [{ kind: 'outage', node: 'n0' }, fine]),
  MissingRenderedConfig: (world) =>
    play(world, [{ kind: 'budget', allowed: 0 }, fine, { kind: 'lose', config: 'fine-1' }]),
  PausedWithBacklog: (world) => play(world, [{ kind: 'pause', paused: true }, fine]),
  InvalidMaxUnavailable: (world) => play(world, [{ kind: 'limit', value: 'many' }, fine]),
  CustomRoleConflict: (world) => play(world, [{ kind: 'role', node: 'n0' }]),
  CapacityUsedUp: (world) => play(world, [{ kind: 'outage', node: 'n0' }, fine]),
  DaemonSilent: (world) => play(world, [...all.map((node) => ({ kind: 'deaf', node }) as const), fine]),
  NodeSlow: async (world) => {
    await play(world, [fine])
    await world.cluster.settle()
    await play(world, [
      { kind: 'daemon', node: 'n0' },
      { kind: 'deaf', node: 'n0' },
    ])
  },
}

it.each(Object.keys(truths))('finds %s in a history that leads to it', async (code) => {
  const world = aWorld(1)
  await histories[code]?.(world)
  const look = () => expect(falseOnes(world)).toEqual([])
  await world.run(70, look)
  look()
  expect(unexplained(world)).toEqual([])
  expect(findingsOf(world).map((finding) => finding.code)).toContain(code)
})

async function play(world: World, actions: readonly Action[]): Promise<void> {
  for (const next of actions) await world.act(next)
}

it('says nothing once everything is well again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const world = aWorld(2)
      for (const next of actions) await world.act(next)
      await world.heal()
      expect(findingsOf(world)).toEqual([])
    }),
    { numRuns: 25 },
  )
}, 60_000)

function aWorld(max: number): World {
  const world = new World(max)
  for (const name of ['edge', 'infra']) world.cluster.put(MachineConfigPool, aPool(name, { config: 'start' }))
  return world
}

/** Nodes that are not at their pool's target, or not Done there, without a finding of their own or of their pool. */
function unexplained(world: World): readonly string[] {
  const findings = findingsOf(world)
  const about = new Set(findings.map(({ subject }) => `${subject.kind}/${subject.name}`))
  const target = world.cluster.read(MachineConfigPool, { name: 'worker' }).spec.configuration?.name
  return world.cluster.all(Node).flatMap(({ metadata, spec }) => {
    const annotations = metadata.annotations ?? {}
    const isDone =
      annotations[nodeAnnotation.state] === 'Done' &&
      annotations[nodeAnnotation.currentConfig] === target &&
      annotations[nodeAnnotation.desiredConfig] === target &&
      spec?.unschedulable !== true
    // What keeps its pool explains a node that waits, and none that was told to move.
    const isWaiting = annotations[nodeAnnotation.desiredConfig] !== target
    if (isDone || about.has(`node/${metadata.name}`) || (isWaiting && about.has('mcp/worker'))) return []
    return [`${metadata.name} has no cause: ${JSON.stringify({ annotations, spec, findings })}`]
  })
}
