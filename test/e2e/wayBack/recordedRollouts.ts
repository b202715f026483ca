import assert from 'node:assert/strict'
import type { PoolRollout } from '../../../src/api/poolRollout.ts'
import { type Checks, type Lab, motd } from '../faults/lab.ts'
import { until } from '../harness.ts'
import type { PoolHistory } from './poolHistory.ts'

/** What changes its mind on the way, and hands on the history itself. */
export function recordedRolloutChecks(lab: Lab, history: PoolHistory): Checks {
  const { run, json, result } = lab

  /** A change on its way: a node was sent there, and it cannot end before worker-2, cordoned here, is given back. */
  async function underway(text: string): Promise<PoolRollout> {
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":2}}'])
    await giveBack()
    await lab.converged('worker')
    await run(['cordon', 'worker-2'])
    const before = await history.newest()
    const from = lab.history.moments.length
    const target = await lab.retarget('worker', () => lab.apply(motd(text)))
    const rollout = await history.after(before)
    assert.equal(rollout.spec.to, target)
    await until(() => lab.history.moments.slice(from).some(({ desired }) => desired === target), 'a node on its way')
    return rollout
  }

  const giveBack = () => run(['uncordon', 'worker-2'])
  const named = async (name: string) => json<PoolRollout>(['get', 'poolrollout', name])
  const nameOf = ({ metadata }: PoolRollout) => metadata.name ?? ''
  const waited = (name: string, condition: string, seconds = 30) =>
    result(['wait', `poolrollout/${name}`, `--for=condition=${condition}`, `--timeout=${seconds}s`])

  return {
    'a MachineConfig deleted on the way: Reverted, one rollout at a time, kubectl wait returns': async () => {
      const before = await lab.target('worker')
      const gone = await underway('reverted')
      assert.equal(gone.spec.from, before)
      await history.check()
      await run(['delete', 'mc', '90-worker-motd'])
      const back = await history.after(gone)
      await history.check()
      assert.equal(back.spec.to, before)
      const settled = await waited(nameOf(gone), 'Settled')
      assert.equal(settled.code, 0, settled.stderr)
      assert.equal((await named(nameOf(gone))).status?.phase, 'Reverted')
      await giveBack()
      const complete = await waited(nameOf(back), 'Complete')
      assert.equal(complete.code, 0, complete.stderr)
      assert.equal((await history.newest()).metadata.name, back.metadata.name)
      await lab.converged('worker')
      await history.check()
    },
    'kubectl wait is not early: Settled of a rollout under way times out, Complete comes with the last node':
      async () => {
        const rollout = await underway('waited')
        const early = await waited(nameOf(rollout), 'Settled', 1)
        assert.notEqual(early.code, 0, early.stdout)
        assert.match(early.stderr, /timed out/)
        await giveBack()
        const { code, stderr } = await waited(nameOf(rollout), 'Complete')
        assert.equal(code, 0, stderr)
        for (const { name, config, state } of (await lab.status()).nodes.filter(({ pool }) => pool === 'worker'))
          assert.deepEqual([config, state], [rollout.spec.to, 'Done'], name)
      },
    'replaced on the way: Superseded': async () => {
      const first = await underway('first')
      await lab.apply(motd('second'))
      const second = await history.after(first)
      await history.ends(first, 'Superseded')
      await history.check()
      await giveBack()
      await history.ends(second, 'Complete')
      await lab.converged('worker')
      await history.check()
    },
    'a PoolRollout deleted on the way is recorded again, and the rollout ends': async () => {
      const rollout = await underway('forgotten')
      await run(['delete', 'poolrollout', nameOf(rollout)])
      await until(
        async () => (await result(['get', 'poolrollout', nameOf(rollout)])).code === 0,
        `${nameOf(rollout)} to be recorded again`,
        10_000,
      )
      const again = await named(nameOf(rollout))
      assert.notEqual(again.metadata.uid, rollout.metadata.uid)
      assert.deepEqual([again.spec.to, again.spec.revision], [rollout.spec.to, rollout.spec.revision])
      await giveBack()
      await lab.converged('worker')
      await history.ends(rollout, 'Complete')
      await history.check()
    },
    'a PoolRollout edited on the way: its spec refuses, labels and status are put right': async () => {
      const rollout = await underway('edited')
      const name = nameOf(rollout)
      const refused = await result(['patch', 'poolrollout', name, '--type=merge', '-p', '{"spec":{"to":"x"}}'])
      assert.notEqual(refused.code, 0)
      assert.match(refused.stderr, /a PoolRollout says what happened and cannot be changed; change the MachineConfigs/)
      await run(['label', 'poolrollout', name, 'machineconfig.io/pool-'])
      await until(
        async () => (await named(name)).metadata.labels?.['machineconfig.io/pool'] === 'worker',
        'the label to be back',
        10_000,
      )
      const live = await named(name)
      const lie = { ...live, status: { phase: 'Complete', updated: '9/9', conditions: [] } }
      const path = `/apis/machineconfig.io/v1alpha1/poolrollouts/${name}/status`
      const replaced = await result(['replace', '--raw', path, '-f', '-'], { input: JSON.stringify(lie) })
      // A conflict: the controller has just written it; then the lie was never told.
      assert.ok(replaced.code === 0 || /Conflict|modified/.test(replaced.stderr), replaced.stderr)
      await until(async () => (await named(name)).status?.updated !== '9/9', 'the status to be true again', 10_000)
      assert.notEqual((await named(name)).status?.phase, 'Complete')
      await giveBack()
      await lab.converged('worker')
      await history.ends(rollout, 'Complete')
      assert.equal((await named(name)).status?.updated, '3/3')
      await history.check()
    },
  }
}
