import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checks, fileConfig, type Lab, machineConfig, motd, setDiskPressure } from '../faults/lab.ts'
import { mco, textOf, until } from '../harness.ts'
import type { PoolHistory } from './poolHistory.ts'

const workers = ['worker-0', 'worker-1', 'worker-2']

/** One file that every node can write, and one below a path that is a file there. */
const broken = machineConfig('95-broken', 'worker', {
  storage: {
    files: ['/etc/before-the-break', '/etc/kubernetes/kubelet-config.yaml/sub'].map((path) => ({
      path,
      mode: 0o644,
      overwrite: true,
      contents: { source: 'data:,x' },
    })),
  },
})

/** Changes that break nodes. Nothing but MachineConfigs is written to get them back. */
export function brokenNodeChecks(lab: Lab, history: PoolHistory): Checks {
  const { run, cluster } = lab
  const rootOf = (node: string) => cluster.nodeRoot(node)

  /** Waits until two workers have given up, and says which. */
  async function twoBroken(): Promise<readonly string[]> {
    let failed: readonly string[] = []
    await until(
      async () => {
        failed = (await lab.status()).nodes.filter(({ state }) => state === 'Degraded').map(({ name }) => name)
        return failed.length >= 2
      },
      'two nodes that gave up',
      30_000,
    )
    assert.equal(failed.length, 2, `${failed}: no more than maxUnavailable`)
    for (const node of failed) await lab.degraded(node, /kubelet-config\.yaml\/sub/)
    return failed
  }

  async function isBackAt(node: string, config: string): Promise<boolean> {
    const keys = ['currentConfig', 'desiredConfig', 'state']
    const found = await Promise.all(keys.map((key) => lab.annotation(node, key)))
    return found.join() === [config, config, 'Done'].join()
  }

  return {
    'a bad config breaks two nodes; deleted, both come back by themselves': async () => {
      await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":2}}'])
      const old = await lab.target('worker')
      const before = new Map(
        await Promise.all(workers.map(async (node) => [node, await diskOf(rootOf(node))] as const)),
      )
      const first = await history.newest()
      await lab.apply(broken)
      const failed = await twoBroken()
      const bad = await history.after(first)
      assert.equal(bad.spec.to, await lab.target('worker'))
      await until(
        async () => (await history.newest()).status?.phase === 'Blocked',
        'the rollout to say Blocked',
        15_000,
      )
      await run(['delete', 'mc', '95-broken'])
      await lab.converged('worker')
      for (const node of workers) {
        assert.ok(await isBackAt(node, old), `${node} is Done at ${old}`)
        assert.ok((await lab.line(node)).schedulable, `${node} takes pods`)
        assert.deepEqual(await diskOf(rootOf(node)), before.get(node), `the disk of ${node}`)
      }
      const back = await history.after(bad)
      await history.ends(bad, 'Reverted')
      await history.ends(back, 'Complete')
      assert.equal(back.spec.to, old)
      assert.deepEqual(
        back.spec.change?.removed?.map(({ name }) => name),
        ['95-broken'],
      )
      const third = workers.filter((node) => !failed.includes(node))
      const sent = lab.history.moments.filter(({ desired }) => desired === bad.spec.to).map(({ node }) => node)
      assert.ok(!sent.some((node) => third.includes(node)), 'the third was never sent there')
      await history.check()
    },
    'broken nodes that are NotReady come back too; one that a person cordoned is left alone': async () => {
      const old = await lab.target('worker')
      await run(['cordon', 'worker-2'])
      await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":3}}'])
      const from = lab.history.moments.length
      await lab.apply(broken)
      const failed = await twoBroken()
      assert.deepEqual(failed.toSorted(), ['worker-0', 'worker-1'])
      const bad = await history.newest()
      for (const node of failed) await setDiskPressure(lab, node, 'True')
      await run(['delete', 'mc', '95-broken'])
      for (const node of failed) {
        await until(
          async () => {
            // A boot reports all conditions anew.
            await setDiskPressure(lab, node, 'True')
            return isBackAt(node, old)
          },
          `${node} to be back at ${old}`,
          20_000,
        )
        assert.equal(await textOf(join(rootOf(node), 'etc/before-the-break')), undefined, node)
      }
      await history.ends(bad, 'Reverted')
      const cordoned = lab.history.moments.slice(from).filter(({ node }) => node === 'worker-2')
      assert.ok(cordoned.every(({ desired, desiredDrain }) => desired === old && !desiredDrain.startsWith('drain-')))
      assert.equal((await lab.line('worker-2')).schedulable, false)
      for (const node of failed) await setDiskPressure(lab, node, 'False')
    },
    'taken back while a person has cordoned a node that has it: it follows when uncordoned': async () => {
      await run(['uncordon', 'worker-2'])
      await lab.converged('worker')
      await run(['delete', 'mc', '90-worker-motd', '--ignore-not-found'])
      await mco(['wait', 'mcp/worker', '--quiet', '--kubeconfig', cluster.kubeconfig])
      const old = await lab.target('worker')
      const motdBefore = await textOf(join(rootOf('worker-2'), 'etc/motd'))
      const next = await lab.retarget('worker', () => lab.apply(motd('cordoned')))
      await lab.converged('worker')
      await run(['cordon', 'worker-2'])
      const from = lab.history.moments.length
      await run(['delete', 'mc', '90-worker-motd'])
      for (const node of ['worker-0', 'worker-1'])
        await until(() => isBackAt(node, old), `${node} to be back at ${old}`, 20_000)
      await until(async () => (await lab.line('worker-2')).hold?.reason === 'Cordoned', 'the reason why it waits')
      const cordoned = lab.history.moments.slice(from).filter(({ node }) => node === 'worker-2')
      assert.ok(cordoned.every(({ desired, desiredDrain }) => desired === next && !desiredDrain.startsWith('drain-')))
      assert.equal(await textOf(join(rootOf('worker-2'), 'etc/motd')), 'cordoned\n')
      await run(['uncordon', 'worker-2'])
      await lab.converged('worker')
      assert.equal(await textOf(join(rootOf('worker-2'), 'etc/motd')), motdBefore)
      await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":1}}'])
      await history.check()
    },
    'a correction instead of a deletion brings broken nodes on as well': async () => {
      const first = await history.newest()
      await lab.apply(broken)
      await until(async () => (await lab.status()).nodes.some(({ state }) => state === 'Degraded'), 'a broken node')
      const bad = await history.after(first)
      await lab.apply(fileConfig('95-broken', 'worker', { path: '/etc/corrected', contents: { source: 'data:,ok' } }))
      await lab.converged('worker')
      for (const node of workers) assert.equal(await textOf(join(rootOf(node), 'etc/corrected')), 'ok', node)
      await history.ends(bad, 'Superseded')
      await lab.retarget('worker', () => run(['delete', 'mc', '95-broken']))
      await lab.converged('worker')
    },
  }
}

/** What is below /etc, by path: a digest of each file. The daemon's own notes there say when, and are left out. */
async function diskOf(root: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(join(root, 'etc'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('machine-config-daemon'))
  const digests = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name)
    return [
      path.slice(root.length),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ] as const
  })
  return Object.fromEntries((await Promise.all(digests)).sort(([a], [b]) => (a < b ? -1 : 1)))
}
