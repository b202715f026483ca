import assert from 'node:assert/strict'
import { startLab } from './faults/lab.ts'
import { suite } from './harness.ts'
import { brokenRules } from './rolloutHistory.ts'
import { brokenNodeChecks } from './wayBack/brokenNodes.ts'
import { deletedConfigChecks } from './wayBack/deletedConfigs.ts'
import { poolHistory } from './wayBack/poolHistory.ts'
import { recordedRolloutChecks } from './wayBack/recordedRollouts.ts'
import { rollbackChecks } from './wayBack/rollback.ts'

/** A bad change is taken back through kubectl and mco alone; what is deleted on the way comes back; the history stays true. */
const lab = await startLab('--pools master=1,worker=3')
const history = poolHistory(lab, 'worker')

await suite('wayBack', {
  // First: they look for an event, and an object that much happens to tells only the first of it.
  ...deletedConfigChecks(lab),
  ...recordedRolloutChecks(lab, history),
  ...brokenNodeChecks(lab, history),
  ...rollbackChecks(lab, history),
  'afterwards: every rule held at every moment, and every node is given back': async () => {
    await lab.converged('master', 'worker')
    assert.deepEqual(brokenRules(lab.history.moments), [])
    for (const { name, state, schedulable } of (await lab.status()).nodes)
      assert.deepEqual([state, schedulable], ['Done', true], name)
    await history.check()
  },
})
lab.history.stop()
await lab.cluster.stop()
