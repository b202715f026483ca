import { describe, expect, it } from 'vitest'
import { Secret } from '../../../src/api/core.ts'
import { MachineConfig } from '../../../src/api/machineConfig.ts'
import { machineConfigAnnotation, operatorNamespace } from '../../../src/api/names.ts'
import { readSnapshot } from '../../../src/forecast/readSnapshot.ts'
import { carryOutStep, readCopies } from '../../../src/history/carryOutRollback.ts'
import { previousRollout, proposeRollback, type RollbackProposal } from '../../../src/history/proposeRollback.ts'
import { fragmentParser } from '../../../src/render/parseFragment.ts'
import { HistoryWorld } from './historyWorld.ts'

/** Revision 1: the base; 2: and 50-a; 3: 50-a says something else; 4: 50-a is gone, 60-b is there. */
async function storied(): Promise<HistoryWorld> {
  const world = new HistoryWorld()
  await world.converge(5)
  world.put('50-a', '/etc/a', 'one')
  await world.converge(10)
  world.put('50-a', '/etc/a', 'two')
  await world.converge(10)
  world.cluster.remove(MachineConfig, { name: '50-a' })
  world.put('60-b', '/etc/b', 'b')
  await world.converge(10)
  expect(world.history).toHaveLength(4)
  return world
}

async function propose(world: HistoryWorld, revision: number): Promise<RollbackProposal> {
  const { kube, clock } = world.cluster
  const rollout = world.history.find(({ spec }) => spec.revision === revision)
  if (!rollout) throw new Error(`no revision ${revision}`)
  const snapshot = await readSnapshot(kube)
  const records = await readCopies(kube, rollout, snapshot.machineConfigs)
  const input = { snapshot, pool: world.pool, rollout, rollouts: world.history, records }
  return proposeRollback(input, { parse: fragmentParser().parse }, clock.now())
}

const stepsOf = (proposal: RollbackProposal): readonly string[] =>
  proposal.kind === 'proposal' ? proposal.steps.map(({ kind, name }) => `${kind} ${name}`) : [proposal.kind]

async function carryOut(world: HistoryWorld, proposal: RollbackProposal): Promise<void> {
  if (proposal.kind !== 'proposal') throw new Error(JSON.stringify(proposal))
  for (const step of proposal.steps) await carryOutStep(world.cluster.kube, step)
  await world.converge(15)
}

describe('proposeRollback', () => {
  it('restores what was deleted, with its content, and deletes what came later', async () => {
    const world = await storied()
    const proposal = await propose(world, 3)
    expect(stepsOf(proposal)).toEqual(['restore 50-a', 'delete 60-b'])
    await carryOut(world, proposal)
    expect(world.newest).toMatchObject({ spec: { to: world.history[2]?.spec.to }, status: { phase: 'Complete' } })
  })

  it('reaches every recorded revision from every other, to the same rendered config', async () => {
    const world = await storied()
    for (const revision of [1, 3, 2, 4, 2, 1]) {
      await carryOut(world, await propose(world, revision))
      const wanted = world.history.find(({ spec }) => spec.revision === revision)?.spec.to
      expect(world.pool.spec.configuration?.name).toBe(wanted)
    }
  })

  it('has nothing to do when the fragments are as they were', async () => {
    expect(await propose(await storied(), 4)).toMatchObject({ kind: 'nothing' })
  })

  it('says which copy is missing, or was edited', async () => {
    const world = await storied()
    const copy = (revision: number) =>
      `history-fragment-${world.history[revision - 1]?.spec.fragments?.find(({ name }) => name === '50-a')?.digest.slice(0, 40)}`
    const key = (revision: number) => ({ name: copy(revision), namespace: operatorNamespace })
    const other = world.cluster.read(Secret, key(3))
    world.cluster.change(Secret, key(2), (object) => ({ ...object, data: other.data }))
    expect(await propose(world, 2)).toEqual({
      kind: 'impossible',
      problems: ['of mc/50-a as it was then no copy is kept'],
    })
    world.cluster.remove(Secret, key(3))
    expect(await propose(world, 3)).toMatchObject({ kind: 'impossible' })
  })

  it('leaves alone what a controller generates, and says that the result is another', async () => {
    const world = await storied()
    world.cluster.change(MachineConfig, { name: '60-b' }, (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { [machineConfigAnnotation.generatedByControllerVersion]: 'abc123' },
      },
    }))
    await world.converge(5)
    const proposal = await propose(world, 3)
    expect(stepsOf(proposal)).toEqual(['restore 50-a'])
    expect(proposal.kind === 'proposal' && proposal.warnings[0]).toMatch(/controllers generate 60-b/)
  })

  it('warns of a repository that will write an object again', async () => {
    const world = await storied()
    world.cluster.change(MachineConfig, { name: '60-b' }, (object) => ({
      ...object,
      metadata: { ...object.metadata, managedFields: [{ manager: 'argocd-controller' }] },
    }))
    const proposal = await propose(world, 3)
    expect(proposal.kind === 'proposal' && proposal.warnings).toEqual([
      'mc/60-b is kept by argocd-controller, which will write it again: take the change back in its source too',
    ])
  })

  it('writes nothing on an object that somebody changed after it was shown', async () => {
    const world = await storied()
    const proposal = await propose(world, 3)
    world.put('50-a', '/etc/a', 'three')
    await expect(carryOut(world, proposal)).rejects.toMatchObject({ status: 409 })
    expect(world.cluster.read(MachineConfig, { name: '60-b' })).toBeDefined()
  })
})

it('previousRollout is the last complete one with another config', async () => {
  const world = await storied()
  expect(previousRollout(world.history, 'worker')?.metadata.name).toBe('worker-3')
  expect(previousRollout(world.history.slice(0, 1), 'worker')).toBeUndefined()
})
