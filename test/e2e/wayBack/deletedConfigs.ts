import assert from 'node:assert/strict'
import type { MachineConfig } from '../../../src/api/machineConfig.ts'
import { type Checks, type Lab, motd } from '../faults/lab.ts'
import { until } from '../harness.ts'

/** Rendered configs that are deleted by hand while nodes use them. */
export function deletedConfigChecks(lab: Lab): Checks {
  const { run, json, result } = lab
  const config = (name: string) => json<MachineConfig>(['get', 'mc', name])

  /** Deletes it and waits for another object of the same name and content. */
  async function deletedAndBack(name: string): Promise<void> {
    const before = await config(name)
    const deletedAt = Date.now()
    await run(['delete', 'mc', name, '--wait=false'])
    let after: MachineConfig | undefined
    await until(
      async () => {
        const { code, stdout } = await result(['get', 'mc', name, '-o', 'json'])
        after = code === 0 ? JSON.parse(stdout) : undefined
        return after !== undefined && after.metadata.uid !== before.metadata.uid
      },
      `${name} to come back`,
      10_000,
    )
    assert.ok(Date.now() - deletedAt < 5_000, `it took ${Date.now() - deletedAt} ms`)
    assert.equal(JSON.stringify(after?.spec), JSON.stringify(before.spec))
    assert.deepEqual(after?.metadata.annotations, before.metadata.annotations)
    assert.deepEqual(
      after?.metadata.ownerReferences?.map(({ uid }) => uid),
      before.metadata.ownerReferences?.map(({ uid }) => uid),
    )
  }

  return {
    'the rendered config that every node has, deleted at rest: back, and no node notices': async () => {
      await lab.converged('worker')
      const from = lab.history.moments.length
      await deletedAndBack(await lab.target('worker'))
      await lab.converged('worker')
      const moved = lab.history.moments.slice(from).filter(({ pool }) => pool === 'worker')
      const unlike = moved.filter(({ state, current, desired }) => state !== 'Done' || current !== desired)
      assert.deepEqual(unlike, [])
    },
    'the rendered configs of before and after, deleted on the way: back, told, and the rollout ends': async () => {
      const old = await lab.target('worker')
      const from = lab.history.moments.length
      const next = await lab.retarget('worker', () => lab.apply(motd('deleted')))
      const moments = () => lab.history.moments.slice(from).filter(({ pool }) => pool === 'worker')
      await until(() => moments().some(({ desired }) => desired === next), 'a node on its way')
      await deletedAndBack(old)
      await deletedAndBack(next)
      await lab.converged('worker')
      const failed = moments().filter(({ state }) => /Degraded|Unreconcilable/.test(state))
      assert.deepEqual(failed, [])
      const told = async () => (await run(['get', 'events', '-A'])).split('\n')
      await until(
        async () => (await told()).some((line) => line.includes('RenderedConfigRestored') && line.includes(old)),
        `the event RenderedConfigRestored of ${old}`,
        10_000,
      )
      await lab.retarget('worker', () => run(['delete', 'mc', '90-worker-motd']))
      await lab.converged('worker')
    },
  }
}
