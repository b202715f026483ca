import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf } from '../harness.ts'
import { type Checks, fileConfig, type Lab, machineConfig } from './lab.ts'

/** Configs that no node can take: the first one says why, the rest stays untouched, and both ways out work. */
export function refusalChecks(lab: Lab): Checks {
  const { run, cluster, history } = lab
  const workers = ['worker-0', 'worker-1', 'worker-2', 'worker-3']

  /** The first worker refuses; nobody else is sent there, and the reason reaches the pool complete. */
  async function refused(config: object, reason: RegExp): Promise<string> {
    const wanted = await lab.retarget('worker', () => lab.apply(config))
    const first = await firstSentTo(wanted)
    await lab.degraded(first, reason)
    await lab.says(new RegExp(`3 nodes wait \\(AtCapacity\\): .*failed to apply MachineConfig ${wanted}: ${first}`))
    await lab.says(new RegExp(`node ${first}.*: .*${reason.source}`))
    const { status } = await lab.pool('worker')
    for (const type of ['NodeDegraded', 'Degraded'])
      assert.match(status?.conditions?.find((condition) => condition.type === type)?.message ?? '', reason)
    const sent = history.moments.filter(({ desired }) => desired === wanted).map(({ node }) => node)
    assert.deepEqual(
      [...new Set(sent)].filter((node) => workers.includes(node)),
      [first],
    )
    return first
  }

  async function firstSentTo(wanted: string): Promise<string> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const moment = history.moments.find(({ desired, node }) => desired === wanted && workers.includes(node))
      if (moment) return moment.node
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`no worker was sent to ${wanted}`)
  }

  const neverCordonedSince = (from: number) =>
    assert.deepEqual(
      history.moments.slice(from).filter(({ unschedulable }) => unschedulable),
      [],
    )

  return {
    'refused: a file below a file, found before anything is drained; fixed forward': async () => {
      const from = history.moments.length
      const bad = (path: string) => fileConfig('95-bad', 'worker', { path, contents: { source: 'data:,x' } })
      await refused(bad('/etc/chrony.conf/sub'), /\/etc\/chrony\.conf\/sub cannot be written/)
      neverCordonedSince(from)
      await lab.retarget('worker', () => lab.apply(bad('/etc/good')))
      await lab.converged('worker', 'infra')
      for (const node of workers) assert.equal(await textOf(join(cluster.nodeRoot(node), 'etc/good')), 'x')
    },
    'refused: an owner that no node knows; reverted': async () => {
      const before = await lab.target('worker')
      const from = history.moments.length
      const file = { path: '/etc/owned', user: { name: 'nobodyknows' }, contents: { source: 'data:,x' } }
      await refused(fileConfig('96-bad', 'worker', file), /failed to retrieve UserID for username: nobodyknows/)
      neverCordonedSince(from)
      await run(['delete', 'mc', '96-bad'])
      await lab.converged('worker', 'infra')
      assert.equal(await lab.target('worker'), before)
    },
    'refused: a directory stands where a unit should; repaired on the nodes and changed again': async () => {
      const conflict = (node: string) => join(cluster.nodeRoot(node), 'etc/systemd/system/app.service')
      for (const node of [...workers, 'infra-0']) await mkdir(join(conflict(node), 'sub'), { recursive: true })
      const unit = (text: string) =>
        machineConfig('97-unit', 'worker', { systemd: { units: [{ name: 'app.service', contents: text }] } })
      await refused(unit('[Service]\nExecStart=/bin/true\n'), /app\.service should be a unit file but is a directory/)
      for (const node of [...workers, 'infra-0']) await rm(conflict(node), { recursive: true })
      await lab.retarget('worker', () => lab.apply(unit('[Service]\nExecStart=/bin/false\n')))
      await lab.converged('worker', 'infra')
      await lab.retarget('worker', () => run(['delete', 'mc', '95-bad', '97-unit', '--ignore-not-found']))
      await lab.converged('worker', 'infra')
    },
  }
}
