import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checks, fileConfig, type Lab } from '../faults/lab.ts'
import { mco, textOf } from '../harness.ts'
import type { PoolHistory } from './poolHistory.ts'

const workers = ['worker-0', 'worker-1', 'worker-2']
const secret = 'b1g-s3cret'

/** `mco history` and `mco rollback` over a deleted, a modified and a newer fragment. */
export function rollbackChecks(lab: Lab, history: PoolHistory): Checks {
  const { run, cluster } = lab
  const cli = (...args: readonly string[]) => mco([...args, '--kubeconfig', cluster.kubeconfig])
  const file = (name: string, content: string, mode = 0o644) =>
    lab.apply(fileConfig(name, 'worker', { path: `/etc/back/${name}`, mode, contents: { source: `data:,${content}` } }))
  const onDisk = (node: string, name: string) => textOf(join(cluster.nodeRoot(node), 'etc/back', name))
  const fragments = async () =>
    (await run(['get', 'mc', '-o', 'name'])).match(/5\d-\S+/g)?.map((name) => name.trim()) ?? []
  let revision = 0

  return {
    'a history of fragments that come, change and go': async () => {
      await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":3}}'])
      await file('50-deleted', 'kept')
      await file('51-modified', 'then')
      await file('52-secret', secret, 0o600)
      await cli('wait', 'mcp/worker')
      revision = (await history.newest()).spec.revision
      await run(['delete', 'mc', '50-deleted', '52-secret'])
      await file('51-modified', 'now')
      await file('53-newer', 'newer')
      await cli('wait', 'mcp/worker')
      const { stdout } = await cli('history', 'mcp/worker')
      const rollouts = await history.check()
      assert.equal(stdout.trim().split('\n').length, rollouts.length + 1)
      for (const { spec, status } of rollouts)
        assert.match(stdout, new RegExp(`^${spec.revision} +${status?.phase} `, 'm'))
      assert.match(stdout, /\+53-newer \(kubectl/)
      assert.deepEqual(
        (JSON.parse((await cli('history', 'mcp/worker', '-o', 'json')).stdout) as unknown[]).length,
        rollouts.length,
      )
    },
    'mco rollback --dry-run shows each fragment and its effect, no secret, and writes nothing': async () => {
      const before = await run([
        'get',
        'mc',
        '-o',
        'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.metadata.generation}{"\\n"}{end}',
      ])
      const { stdout, stderr } = await cli('rollback', 'mcp/worker', '--to', String(revision), '--dry-run')
      assert.match(stdout, new RegExp(`mcp/worker back to poolrollout/worker-${revision} \\(rendered-worker-`))
      const steps = stdout
        .match(/^ {2}[+~-] (restore|modify|delete) +mc\/\S+$/gm)
        ?.map((line) => line.replace(/ +/g, ' '))
      assert.deepEqual(steps?.toSorted(), [
        ' + restore mc/50-deleted',
        ' + restore mc/52-secret',
        ' - delete mc/53-newer',
        ' ~ modify mc/51-modified',
      ])
      assert.match(stdout, /\+ \/etc\/back\/50-deleted/)
      assert.match(stdout, /- \/etc\/back\/53-newer/)
      assert.match(stdout, /\+ \/etc\/back\/52-secret/)
      assert.match(stdout, /On a node: reboot/)
      assert.ok(!`${stdout}${stderr}`.includes(secret), 'the secret is not shown')
      const json = await cli('rollback', 'mcp/worker', '--to', String(revision), '--dry-run', '-o', 'json')
      assert.ok(!`${json.stdout}${json.stderr}`.includes(secret), 'the secret is not in the JSON')
      assert.equal(JSON.parse(json.stdout).steps.length, 4)
      const after = await run([
        'get',
        'mc',
        '-o',
        'jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.metadata.generation}{"\\n"}{end}',
      ])
      assert.equal(after, before)
    },
    'without consent nothing is changed; a revision that is not kept is named': async () => {
      const to = ['rollback', 'mcp/worker', '--kubeconfig', cluster.kubeconfig, '--to']
      const before = await fragments()
      const unasked = await mco([...to, String(revision)], { code: 2, input: 'no\n' })
      assert.match(unasked.stderr, /add --yes/)
      const { stderr } = await mco([...to, '99999'], { code: 3 })
      assert.match(stderr, /pool worker has no revision 99999; kept are /)
      assert.deepEqual(await fragments(), before)
    },
    'mco rollback --yes brings all of it back, and mco wait returns when every node has it': async () => {
      const { stdout, stderr } = await cli('rollback', 'mcp/worker', '--to', String(revision), '--yes')
      assert.ok(!`${stdout}${stderr}`.includes(secret), 'the secret is not shown')
      await cli('wait', 'mcp/worker')
      for (const node of workers) {
        const names = ['50-deleted', '51-modified', '52-secret', '53-newer']
        const found = await Promise.all(names.map((name) => onDisk(node, name)))
        assert.deepEqual(found, ['kept', 'then', secret, undefined], node)
        const { mode } = await stat(join(cluster.nodeRoot(node), 'etc/back/52-secret'))
        assert.equal(mode & 0o777, 0o600)
      }
      assert.deepEqual(await fragments(), ['50-deleted', '51-modified', '52-secret'])
      const rollouts = await history.check()
      const then = rollouts.find(({ spec }) => spec.revision === revision)
      assert.equal(rollouts.at(-1)?.spec.to, then?.spec.to)
      assert.equal(rollouts.at(-1)?.status?.phase, 'Complete')
      const again = await cli('rollback', 'mcp/worker', '--to', String(revision), '--yes')
      assert.match(again.stdout, /nothing to do/)
    },
  }
}
