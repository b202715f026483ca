import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kubectlFor, type RunningCluster, suite, until, up } from './harness.ts'

/** What a scraper of the controllers sees during a pause, a rollout, drift, and over the death of the process. */
/** Longer than a page is kept: no node may go by unseen. */
const slowBoot = ['--reboot-seconds', '4']
const dataDir = await mkdtemp(join(tmpdir(), 'mco-metrics-'))
let cluster = await up({ dataDir, args: slowBoot })
let kubectl = kubectlFor(cluster)

/** Series with their values, without heads. */
async function page({ output }: Pick<RunningCluster, 'output'> = cluster): Promise<ReadonlyMap<string, number>> {
  const url = /^metrics +(\S+)$/m.exec(output())?.[1]
  assert.ok(url, `mco up names its metrics:\n${output()}`)
  const answer = await fetch(url)
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

async function see(series: string, isExpected: (value: number | undefined) => boolean, timeoutMs = 20_000) {
  let last: number | undefined
  await until(
    async () => {
      last = (await page()).get(series)
      return isExpected(last)
    },
    `${series} to be as expected`,
    timeoutMs,
  ).catch((error: unknown) => {
    throw new Error(`${series} is ${last}`, { cause: error })
  })
  return last
}

const is = (wanted: number | undefined) => (value: number | undefined) => value === wanted
const pausedSince = 'mco_pool_paused_timestamp_seconds{pool="worker"}'
let since: number | undefined

await suite('metrics', {
  'a settled cluster: counts, conditions, nothing waits, nobody is in trouble': async () => {
    await see('mco_updated_machine_count{pool="worker"}', is(2))
    const found = await page()
    assert.equal(found.get('mco_machine_count{pool="master"}'), 3)
    assert.equal(found.get('mco_pool_condition{pool="worker",condition="Updated"}'), 1)
    assert.equal(found.get('mco_pool_paused{pool="worker"}'), 0)
    assert.equal(found.get('mco_pool_backlog_items{pool="worker"}'), 0)
    assert.equal(found.get('mco_pool_nodes{pool="worker",state="Done"}'), 2)
    const trouble =
      /^mco_(node_|drain_started|drain_block|pool_last_progress|pool_paused_time)|severity="(critical|warning)"/
    assert.deepEqual(
      [...found.keys()].filter((series) => trouble.test(series)),
      [],
    )
  },
  'a pause has its time, what waits behind it is counted, and the cause is named': async () => {
    const before = Math.floor(Date.now() / 1000)
    await kubectl.run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":true}}'])
    await kubectl.run(['apply', '-f', 'examples/chrony.yaml'])
    await see('mco_pool_paused{pool="worker"}', is(1))
    await see('mco_pool_backlog_items{pool="worker"}', (value) => (value ?? 0) > 0)
    since = await see(pausedSince, (value) => value !== undefined && value >= before - 1)
    await see('mco_finding_info{code="PausedWithBacklog",severity="info",subject="mcp/worker"}', is(1))
    assert.equal((await page()).get('mco_pool_last_progress_timestamp_seconds{pool="worker"}'), undefined)
  },
  'the pause keeps its time when the process is killed and starts again': async () => {
    await cluster.kill()
    cluster = await up({ dataDir, args: slowBoot, waitForReady: false })
    kubectl = kubectlFor(cluster)
    await see(pausedSince, is(since), 30_000)
    await see('mco_pool_backlog_items{pool="worker"}', (value) => (value ?? 0) > 0)
  },
  'a rollout shows its progress, and leaves no series behind': async () => {
    await kubectl.run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":false}}'])
    await see('mco_pool_last_progress_timestamp_seconds{pool="worker"}', (value) => value !== undefined)
    await kubectl.run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=90s'])
    await see('mco_pool_last_progress_timestamp_seconds{pool="worker"}', is(undefined))
    await see('mco_pool_backlog_items{pool="worker"}', is(0))
    const found = await page()
    assert.equal(found.get(pausedSince), undefined)
    assert.deepEqual(
      [...found.keys()].filter((series) => /^mco_(node_update|drain_started)/.test(series)),
      [],
    )
    assert.ok((found.get('mco_drain_duration_seconds_count') ?? 0) >= 2)
  },
  'drift is told with its node, and ends with it': async () => {
    const path = join(cluster.nodeRoot('worker-0'), 'etc', 'chrony.conf')
    const before = await readFile(path)
    await appendFile(path, '# by hand\n')
    await see('mco_node_drift{node="worker-0",pool="worker"}', is(1))
    await see('mco_pool_condition{pool="worker",condition="Degraded"}', is(1))
    await writeFile(path, before)
    await see('mco_node_drift{node="worker-0",pool="worker"}', is(undefined), 90_000)
  },
  'a pool that is gone has no series': async () => {
    const pool = {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfigPool',
      metadata: { name: 'gpu' },
      spec: {
        nodeSelector: { matchLabels: { 'node-role.kubernetes.io/gpu': '' } },
        machineConfigSelector: {
          matchExpressions: [
            { key: 'machineconfiguration.openshift.io/role', operator: 'In', values: ['worker', 'gpu'] },
          ],
        },
      },
    }
    await kubectl.run(['create', '-f', '-'], { input: JSON.stringify(pool) })
    await see('mco_pool_paused{pool="gpu"}', is(0))
    await kubectl.run(['delete', 'mcp', 'gpu'])
    await see('mco_pool_paused{pool="gpu"}', is(undefined))
    assert.deepEqual(
      [...(await page()).keys()].filter((series) => series.includes('pool="gpu"')),
      [],
    )
  },
})
await cluster.stop()
await rm(dataDir, { recursive: true, force: true })
