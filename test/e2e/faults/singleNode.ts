import assert from 'node:assert/strict'
import { join } from 'node:path'
import { textOf, until } from '../harness.ts'
import { brokenRules } from '../rolloutHistory.ts'
import { type Checks, type Lab, motd } from './lab.ts'

/** A cluster of one node: there is nowhere to go, and it must still be updated. */
export function singleNodeChecks(lab: Lab): Checks {
  const { run, cluster, history } = lab
  const motdText = () => textOf(join(cluster.nodeRoot('master-0'), 'etc/motd'))
  return {
    'one node: it is drained, changed, rebooted and given back': async () => {
      const boot = await lab.bootId('master-0')
      await lab.retarget('master', () => lab.apply(motd('alone', 'master')))
      await lab.converged('master')
      assert.equal(await motdText(), 'alone\n')
      assert.notEqual(await lab.bootId('master-0'), boot)
      assert.equal((await lab.line('master-0')).schedulable, true)
    },
    'one node: the pool that has none is Updated': async () => {
      await lab.converged('worker')
      assert.equal((await lab.pool('worker')).status?.machineCount, 0)
    },
    'one node: reverted in the middle, it is back': async () => {
      const old = await lab.target('master')
      const wanted = await lab.retarget('master', () => lab.apply(motd('changed', 'master')))
      await until(() => history.moments.some(({ desired }) => desired === wanted), 'the node on its way')
      assert.equal(await lab.retarget('master', () => lab.apply(motd('alone', 'master'))), old)
      await lab.converged('master')
      assert.equal(await motdText(), 'alone\n')
      await lab.retarget('master', () => run(['delete', 'mc', '90-master-motd']))
      await lab.converged('master')
      assert.deepEqual(brokenRules(history.moments), [])
    },
  }
}
