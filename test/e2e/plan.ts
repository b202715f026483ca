import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Node } from '../../src/api/core.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import type { Backlog } from '../../src/forecast/backlog.ts'
import type { Plan, PoolPlan } from '../../src/forecast/plan/plan.ts'
import { kubeClient } from '../../src/kube/client.ts'
import { clusterConnection } from '../../src/kube/clusterConnection.ts'
import { httpTransport } from '../../src/kube/httpTransport.ts'
import { kubectlFor, mco, suite, until, up } from './harness.ts'

/** What `mco plan` says is what nodes then do; a pause shows what waits behind it, and resuming what it costs. */
const cluster = await up({ args: ['--pools', 'master=1,worker=3'] })
const { run, json } = kubectlFor(cluster)
const kube = kubeClient(httpTransport(await clusterConnection({ env: {}, kubeconfig: cluster.kubeconfig })), {
  userAgent: 'plan-proof',
})
const files = await mkdtemp(join(tmpdir(), 'mco-plan-'))
const at = ['--kubeconfig', cluster.kubeconfig]

const machineConfig = (name: string, path: string, contents: string, extra = ''): string =>
  `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  name: ${name}
  labels: { machineconfiguration.openshift.io/role: worker }
spec:
  config:
    ignition: { version: 3.4.0 }
    storage:
      files: [{ path: ${path}, mode: 0644, overwrite: true, contents: { source: "data:,${contents}" } }]
${extra}`

async function file(name: string, text: string): Promise<string> {
  const path = join(files, name)
  await writeFile(path, text)
  return path
}

async function planned(args: readonly string[]): Promise<Plan> {
  return JSON.parse((await mco(['plan', ...args, '-o', 'json'])).stdout) as Plan
}

function workers({ pools }: Plan): PoolPlan {
  const pool = pools.find((each) => each.pool === 'worker')
  assert.ok(pool, 'the plan has the pool worker')
  return pool
}

/** What a watch has seen of the nodes: who was sent where, in which order, and how often each one booted. */
const seen = { sent: [] as string[], boots: new Map<string, Set<string>>(), desired: new Map<string, string>() }
const stop = new AbortController()
const watching = (async () => {
  for await (const event of kube.watch(Node, { signal: stop.signal })) {
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
    const { metadata, status } = event.object
    const name = metadata.name ?? ''
    const desired = metadata.annotations?.[nodeAnnotation.desiredConfig] ?? ''
    const before = seen.desired.get(name)
    if (before !== undefined && before !== desired) seen.sent.push(`${name} ${desired}`)
    seen.desired.set(name, desired)
    const boots = seen.boots.get(name) ?? new Set()
    seen.boots.set(name, boots.add(status?.nodeInfo?.bootID ?? ''))
  }
})().catch((error: unknown) => {
  if (!stop.signal.aborted) throw error
})

/** Whoever may read only pools and nodes is told what is not known, instead of that nothing is there. */
async function knowsWhatItDoesNotKnow(change: string): Promise<void> {
  await run(['create', 'serviceaccount', 'narrow', '-n', 'default'])
  await run(['create', 'clusterrole', 'narrow', '--verb=get,list,watch', '--resource=machineconfigpools,nodes'])
  await run(['create', 'clusterrolebinding', 'narrow', '--clusterrole=narrow', '--serviceaccount=default:narrow'])
  const token = (await run(['create', 'token', 'narrow', '-n', 'default'])).trim()
  const config = JSON.parse(await run(['config', 'view', '--raw', '-o', 'json'])) as { users: { user: object }[] }
  config.users = config.users.map((user) => ({ ...user, user: { token } }))
  const narrow = ['--kubeconfig', await file('narrow.kubeconfig', JSON.stringify(config))]
  const { stdout: waits } = await mco(['resume', 'mcp/worker', '--dry-run', ...narrow])
  assert.match(waits, /^It is not known what waits for 3 of 3 nodes:$/m)
  assert.match(waits, /could not be read: what would change is not known/)
  assert.match(waits, /^not known: machineconfigs: .*forbidden/m)
  const { stdout: why } = await mco(['explain', 'mcp/worker', ...narrow])
  assert.match(why, /deadlines of what waits are not known/)
  assert.match(why, /^pods could not be read/m)
  assert.match((await mco(['status', ...narrow])).stdout, /^not known, because you may not read it: .*pods/m)
  const { stderr } = await mco(['plan', '-f', change, ...narrow], { code: 3 })
  assert.match(stderr, /nothing can be planned without machineconfigs/)
  assert.match((await mco(['wait', 'mcp/worker', ...narrow], { code: 3 })).stderr, /forbidden/)
}

const bootsOf = (name: string): number => seen.boots.get(name)?.size ?? 0
const boots = (): Record<string, number> =>
  Object.fromEntries(['worker-0', 'worker-1', 'worker-2', 'master-0'].map((name) => [name, bootsOf(name)]))

/** Applies what was planned and compares what each node did with what was said of it. */
async function comesTrue(plan: Plan, apply: () => Promise<unknown>): Promise<void> {
  const [before, sentBefore] = [boots(), seen.sent.length]
  await apply()
  await mco(['wait', 'mcp/worker', '--quiet', '--timeout', '60s', ...at])
  const pool = workers(plan)
  const order = pool.batches.flatMap(({ nodes }) => nodes)
  assert.deepEqual(
    seen.sent.slice(sentBefore),
    order.map((node) => `${node} ${pool.to}`),
    'the order and the target',
  )
  const after = boots()
  const impacts = new Map(pool.effects.flatMap(({ nodes, impact }) => nodes.map((node) => [node, impact] as const)))
  for (const [node, count] of Object.entries(after)) {
    const expected = impacts.get(node) === 'reboot' ? 1 : 0
    assert.equal(count - (before[node] ?? 0), expected, `${node} booted as often as planned (${impacts.get(node)})`)
  }
  const current = await json<{ items: { metadata: { name: string; annotations: Record<string, string> } }[] }>([
    'get',
    'nodes',
  ])
  for (const { metadata } of current.items) {
    if (!order.includes(metadata.name)) continue
    assert.equal(metadata.annotations[nodeAnnotation.currentConfig], pool.to, metadata.name)
  }
}

interface Versions {
  readonly items: readonly { readonly kind: string; readonly metadata: { name: string; resourceVersion: string } }[]
}
const versions = async (): Promise<string[]> =>
  (await json<Versions>(['get', 'mc,mcp,machineconfigurations,controllerconfigs'])).items.map(
    ({ kind, metadata }) => `${kind}/${metadata.name} ${metadata.resourceVersion}`,
  )

const exported = 'mc,mcp,nodes,controllerconfigs,machineconfigurations,pods,pdb,ds'

await suite('plan', {
  'a change that reboots: nodes, order, boots and target are as planned, and planning writes nothing': async () => {
    await until(() => seen.boots.size === 4, 'the watch to have shown every node')
    const before = await versions()
    const path = await file('reboot.yaml', machineConfig('90-worker-a', '/etc/planned', 'one'))
    const plan = await planned(['-f', path, ...at])
    assert.deepEqual(await versions(), before, 'nothing was written')
    const pool = workers(plan)
    assert.equal(pool.outcome, 'changes')
    assert.deepEqual(
      pool.changes.map(({ subject, change, setBy }) => [subject, change, setBy.map(({ fragment }) => fragment)]),
      [['/etc/planned', 'added', ['90-worker-a']]],
    )
    assert.deepEqual(
      pool.effects.map(({ impact, drain }) => [impact, drain]),
      [['reboot', true]],
    )
    assert.equal(plan.pools.find((each) => each.pool === 'master')?.outcome, 'unchanged')
    await comesTrue(plan, () => run(['apply', '-f', path]))
  },
  'the second time the time per node was measured': async () => {
    const path = await file('again.yaml', machineConfig('90-worker-a', '/etc/planned', 'two'))
    const { estimate } = workers(await planned(['-f', path, ...at]))
    assert.match(estimate?.basis ?? '', /^[123] nodes? of poolrollout\/worker-\d+$/)
    assert.ok((estimate?.secondsPerNode ?? 0) < 60, JSON.stringify(estimate))
  },
  'a policy in the same change softens it: no drain, no boot, and the loser of a path is named': async () => {
    const policy = `---
apiVersion: operator.openshift.io/v1
kind: MachineConfiguration
metadata: { name: cluster }
spec:
  nodeDisruptionPolicy:
    files: [{ path: /etc/planned, actions: [{ type: None }] }]
`
    const path = await file('soft.yaml', machineConfig('95-worker-b', '/etc/planned', 'three', policy))
    const plan = await planned(['-f', path, ...at])
    const pool = workers(plan)
    assert.deepEqual(
      pool.effects.map(({ impact, drain }) => [impact, drain]),
      [['none', false]],
    )
    assert.deepEqual(pool.changes[0]?.overridden, ['90-worker-a'])
    await comesTrue(plan, async () => {
      // The policy has to be there first, as the plan's effect is that of the whole change.
      await run(['apply', '-f', '-'], { input: policy })
      await run(['apply', '-f', path])
    })
  },
  'offline, from exported objects, the plan is the same; deleting is planned as well': async () => {
    const exportDirectory = join(files, 'export')
    await mkdir(exportDirectory)
    await writeFile(join(exportDirectory, 'cluster.yaml'), await run(['get', exported, '-A', '-o', 'yaml']))
    await writeFile(join(exportDirectory, 'history.yaml'), await run(['get', 'poolrollouts', '-o', 'yaml']))
    const live = await planned(['--delete', 'mc/95-worker-b', ...at])
    const offline = await planned(['--delete', 'mc/95-worker-b', '--from', exportDirectory])
    assert.deepEqual({ ...offline, unreadable: {} }, live)
    assert.deepEqual(workers(live).changes[0]?.setBy, [
      { fragment: '90-worker-a', sets: ['contents', 'mode', 'overwrite'] },
    ])
    await comesTrue(live, () => run(['delete', 'mc', '95-worker-b']))
  },
  'errors of several files are all reported, each at its line': async () => {
    const one = await file('bad-one.yaml', machineConfig('91-bad', '/etc/x', 'x').replace('0644', '644'))
    const two = await file('bad-two.yaml', 'kind: MachineConfig\nmetadata: [\n')
    const three = await file('bad-three.yaml', machineConfig('92-bad', 'relative/path', 'x'))
    const { stderr } = await mco(['plan', '-f', one, two, three, ...at], { code: 1 })
    for (const path of [one, two, three]) assert.match(stderr, new RegExp(`${path}:\\d+:\\d+: `), stderr)
    assert.match(stderr, /644, which is decimal/)
  },
  'pause keeps reason and end; what waits is listed; nothing moves; resume shows the cost and lets it move':
    async () => {
      await mco(['pause', 'mcp/worker', '--reason', 'quarter end', '--until', '2020-01-01T00:00:00Z', ...at], {
        code: 2,
      })
      await mco(['pause', 'mcp/worker', '--reason', 'quarter end', '--until', '7d', '--by', 'ada', ...at])
      const again = await mco(['pause', 'mcp/worker', '--reason', 'still', '--by', 'bob', ...at])
      assert.match(again.stdout, /was paused already/)
      const path = await file('later.yaml', machineConfig('93-worker-later', '/etc/later', 'x'))
      const foreseen = workers(await planned(['-f', path, ...at]))
      assert.equal(foreseen.held?.reason, 'Paused')
      const sentBefore = seen.sent.length
      await run(['apply', '-f', path])
      const look = async () =>
        JSON.parse((await mco(['resume', 'mcp/worker', '--dry-run', '-o', 'json', ...at])).stdout) as {
          readonly backlog?: Backlog
          readonly plan: PoolPlan
        }
      await until(async () => (await look()).backlog !== undefined, 'the change to wait behind the pause')
      const { backlog, plan } = await look()
      assert.ok(backlog)
      assert.equal(backlog.severity, 'info')
      assert.equal(backlog.target, foreseen.to)
      const { by, reason, until: end } = backlog.pause ?? {}
      assert.deepEqual([by, reason], ['ada', 'still'])
      assert.ok(Date.parse(end ?? '') > Date.now() + 6 * 86_400_000, end)
      assert.deepEqual(
        backlog.items.map(({ subject, impact, sources, nodes }) => [
          subject,
          impact,
          sources.map(({ fragment, changedBy }) => [fragment, changedBy?.operation]),
          nodes.length,
        ]),
        [['/etc/later', 'reboot', [['93-worker-later', 'Update']], 3]],
      )
      assert.ok(backlog.items[0]?.since, 'since when it waits')
      assert.equal(seen.sent.length, sentBefore, 'a paused pool sends no node')
      await knowsWhatItDoesNotKnow(path)
      const plans = { pools: [{ ...plan, pool: 'worker' }], notPlanned: [], unreadable: {} }
      await comesTrue(plans, () => mco(['resume', 'mcp/worker', '--yes', ...at]))
      const pool = await json<{ metadata: { annotations?: Record<string, string> }; spec: { paused: boolean } }>([
        'get',
        'mcp',
        'worker',
      ])
      assert.equal(pool.spec.paused, false)
      assert.deepEqual(
        Object.keys(pool.metadata.annotations ?? {}).filter((key) => key.startsWith('machineconfig.io/pause')),
        [],
      )
    },
  'a pause that asks for it ends by itself, and only that one': async () => {
    await mco(['pause', 'mcp/worker', '--reason', 'short', '--until', '2s', '--then-resume', ...at])
    const paused = async (pool: string): Promise<unknown> =>
      (await json<{ spec: { paused?: boolean } }>(['get', 'mcp', pool])).spec.paused
    await mco(['pause', 'mcp/master', '--reason', 'short', '--until', '2s', ...at])
    assert.equal(await paused('worker'), true)
    await until(async () => (await paused('worker')) === false, 'the pause to end', 15_000)
    const events = async () => run(['get', 'events', '-A'])
    await until(async () => /PauseOverdue/.test(await events()), 'the other end to be told', 15_000)
    assert.equal(await paused('master'), true)
    await mco(['resume', 'mcp/master', '--yes', ...at])
  },
})
stop.abort(new Error('the proof is over'))
await watching
await cluster.stop()
await rm(files, { recursive: true, force: true })
