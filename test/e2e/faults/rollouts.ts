import assert from 'node:assert/strict'
import { join } from 'node:path'
import { textOf, until } from '../harness.ts'
import { mostInFlight } from '../rolloutHistory.ts'
import { type Checks, type Lab, motd, setDiskPressure } from './lab.ts'

const workers = ['worker-0', 'worker-1', 'worker-2', 'worker-3']

/** The user changes her mind in the middle of a rollout, and others disturb it. */
export function rolloutChecks(lab: Lab): Checks {
  const { run, cluster, history } = lab
  const patchPool = (spec: object) => run(['patch', 'mcp', 'worker', '--type=merge', '-p', JSON.stringify({ spec })])
  const everyMotd = async (text: string) => {
    for (const node of workers) assert.equal(await textOf(join(cluster.nodeRoot(node), 'etc/motd')), `${text}\n`, node)
  }
  const sentTo = (wanted: string) =>
    new Set(
      history.moments.filter(({ desired, pool }) => desired === wanted && pool === 'worker').map(({ node }) => node),
    )
  const started = (wanted: string) => until(() => sentTo(wanted).size > 0, `a worker on its way to ${wanted}`)
  const most = (from: number) => mostInFlight(history.moments.slice(from), 'worker')

  /** Every worker has this motd, whatever ran before. */
  async function startingAt(text: string): Promise<string> {
    if ((await textOf(join(cluster.nodeRoot('worker-3'), 'etc/motd'))) !== `${text}\n`)
      await lab.retarget('worker', () => lab.apply(motd(text)))
    await lab.converged('worker', 'infra')
    return lab.target('worker')
  }

  return {
    'maxUnavailable 1, then 50%, then 1 again, in one rollout': async () => {
      const from = history.moments.length
      await started(await lab.retarget('worker', () => lab.apply(motd('budget'))))
      assert.ok(most(from) <= 1)
      await patchPool({ maxUnavailable: '50%' })
      await until(() => most(from) === 2, 'two workers at a time', 15_000)
      await patchPool({ maxUnavailable: 1 })
      await lab.converged('worker', 'infra')
      await everyMotd('budget')
      assert.ok(most(from) <= 2, `${most(from)} of 4 workers at a time`)
    },
    'three changes in one rollout: every node ends at the last': async () => {
      const from = history.moments.length
      for (const text of ['first', 'second', 'third']) {
        await started(await lab.retarget('worker', () => lab.apply(motd(text))))
      }
      await lab.converged('worker', 'infra')
      await everyMotd('third')
      assert.ok(most(from) <= 1, `${most(from)} workers at a time`)
    },
    'paused in the middle: nobody starts, who has started ends, and status says what waits': async () => {
      const old = await lab.target('worker')
      const wanted = await lab.retarget('worker', () => lab.apply(motd('paused')))
      await started(wanted)
      await patchPool({ paused: true })
      await until(async () => {
        const busy = (await lab.status()).nodes.filter(
          ({ pool, state }) => pool === 'worker' && !/Done|Waiting/.test(state),
        )
        return busy.length === 0
      }, 'the started nodes to end')
      await lab.says(
        /pool worker.*: pool worker is paused by kubectl\S* since \S+; \d of \d nodes wait for rendered-worker-/,
      )
      const [from, sent] = [history.moments.length, sentTo(wanted).size]
      assert.ok(sent < 4, 'the pause came in time')
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await run(['annotate', 'node', ...workers, '--overwrite', 'poke=1'])
      await until(() => history.moments.length >= from + 4, 'the pokes to be seen')
      assert.equal(sentTo(wanted).size, sent, 'a paused pool never moves')
      assert.equal((await lab.pool('worker')).status?.configuration?.name, old)
      await patchPool({ paused: false })
      await lab.converged('worker', 'infra')
      await everyMotd('paused')
    },
    'reverted in the middle: every node is back, no budget broken': async () => {
      const old = await startingAt('paused')
      const from = history.moments.length
      await started(await lab.retarget('worker', () => lab.apply(motd('reverted'))))
      assert.equal(await lab.retarget('worker', () => lab.apply(motd('paused'))), old)
      await lab.converged('worker', 'infra')
      await everyMotd('paused')
      assert.ok(most(from) <= 1, `${most(from)} workers at a time`)
    },
    'reverted while the node on its way is not Ready: it follows all the same': async () => {
      const old = await startingAt('paused')
      const wanted = await lab.retarget('worker', () => lab.apply(motd('sick')))
      await started(wanted)
      const [sick = ''] = sentTo(wanted)
      await setDiskPressure(lab, sick, 'True')
      await lab.retarget('worker', () => lab.apply(motd('paused')))
      await until(
        async () => {
          // A boot reports all conditions anew.
          await setDiskPressure(lab, sick, 'True')
          return (
            (await lab.annotation(sick, 'currentConfig')) === old && (await lab.annotation(sick, 'state')) === 'Done'
          )
        },
        `${sick} to be back`,
        20_000,
      )
      await setDiskPressure(lab, sick, 'True')
      await lab.says(new RegExp(`node ${sick}.*: node ${sick} is reporting OutOfDisk=True; it counts as unavailable`))
      await setDiskPressure(lab, sick, 'False')
      await lab.converged('worker', 'infra')
      await everyMotd('paused')
    },
    'cordoned by somebody else: skipped with a reason, the rest goes on, uncordoned it follows': async () => {
      await startingAt('paused')
      await run(['cordon', 'worker-1'])
      await patchPool({ maxUnavailable: 2 })
      const from = history.moments.length
      await lab.retarget('worker', () => lab.apply(motd('cordoned')))
      for (const node of ['worker-0', 'worker-2', 'worker-3'])
        await until(
          async () => (await textOf(join(cluster.nodeRoot(node), 'etc/motd'))) === 'cordoned\n',
          `the motd on ${node}`,
          20_000,
        )
      await lab.says(/1 node waits \(Cordoned\): the node was cordoned by somebody else; uncordon it/)
      assert.deepEqual((await lab.line('worker-1')).hold?.reason, 'Cordoned')
      assert.equal(await textOf(join(cluster.nodeRoot('worker-1'), 'etc/motd')), 'paused\n')
      assert.ok(history.moments.slice(from).every(({ node, unschedulable }) => node !== 'worker-1' || unschedulable))
      await run(['uncordon', 'worker-1'])
      await lab.converged('worker', 'infra')
      await everyMotd('cordoned')
      await patchPool({ maxUnavailable: 1 })
    },
    'another client writes the nodes all the time: the rollout ends, nothing of either is lost': async () => {
      const stop = new AbortController()
      let storms = 0
      const storm = async (): Promise<void> => {
        while (!stop.signal.aborted) {
          storms += 1
          await run(['annotate', 'node', '--all', '--overwrite', `storm=${storms}`])
          await run(['label', 'node', '--all', '--overwrite', `storm=${storms}`])
        }
      }
      const storming = storm()
      try {
        await lab.retarget('worker', () => lab.apply(motd('storm')))
        await lab.converged('worker', 'infra')
      } finally {
        stop.abort()
        await storming
      }
      await everyMotd('storm')
      assert.ok(storms > 2)
      assert.equal(await run(['get', 'node', 'worker-0', '-o', 'jsonpath={.metadata.labels.storm}']), String(storms))
      await run(['annotate', 'node', '--all', 'storm-', 'poke-'])
    },
  }
}
