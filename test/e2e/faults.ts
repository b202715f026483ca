import assert from 'node:assert/strict'
import { deletionChecks } from './faults/deletions.ts'
import { drainChecks } from './faults/drains.ts'
import { driftChecks } from './faults/drift.ts'
import { type Checks, startLab } from './faults/lab.ts'
import { membershipChecks } from './faults/membership.ts'
import { refusalChecks } from './faults/refusals.ts'
import { rolloutChecks } from './faults/rollouts.ts'
import { singleNodeChecks } from './faults/singleNode.ts'
import { suite, until } from './harness.ts'
import { brokenRules, mostInFlight } from './rolloutHistory.ts'

/** What users do to a cluster, by mistake and on purpose: each ends without a hand on annotations, and says why it waits. */
const lab = await startLab('--pools master=1,worker=4,infra=1')
const single = await startLab('--nodes 1')

const aftermath: Checks = {
  'afterwards: every rule held at every moment': async () => {
    await lab.converged('master', 'worker', 'infra')
    const { moments } = lab.history
    assert.deepEqual(brokenRules(moments), [])
    assert.ok(mostInFlight(moments, 'worker') <= 2)
    assert.ok(mostInFlight(moments, 'infra') <= 1)
    assert.equal(mostInFlight(moments, 'master'), 0, 'no change was for the masters')
  },
  'afterwards: nothing is left to be cleaned up by hand': async () => {
    await until(async () => (await lab.status()).nodes.every(({ messages }) => messages.length === 0), 'a quiet status')
    for (const { name, state, schedulable } of (await lab.status()).nodes)
      assert.deepEqual([state, schedulable], ['Done', true], name)
    const nodes = await lab.run(['get', 'nodes', '-o', 'json'])
    assert.doesNotMatch(nodes, /drain-blockers|drain-started|UpdateInProgress|waiting-nodes/)
  },
}

await suite('faults', {
  ...driftChecks(lab),
  ...refusalChecks(lab),
  ...deletionChecks(lab),
  ...rolloutChecks(lab),
  ...membershipChecks(lab),
  ...drainChecks(lab),
  ...aftermath,
  ...singleNodeChecks(single),
})
for (const { history, cluster } of [lab, single]) {
  history.stop()
  await cluster.stop()
}
