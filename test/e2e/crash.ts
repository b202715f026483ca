import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { kubectlFor, type RunningCluster, suite, textOf, until, up } from './harness.ts'

/**
 * Proof 4: the whole process is killed at random moments of a rollout and started again. `--kills N` (default 50) and
 * `--seed N`, which names the moments: a failing seed can be run again.
 */
const kills = numberFlag('--kills', 50)
const seed = numberFlag('--seed', 20_260)
const random = mulberry32(seed)
const dataDir = await mkdtemp(join(tmpdir(), 'mco-crash-'))
const args = ['--pools', 'master=1,worker=3']

await suite(`kill -9 (${kills} times, seed ${seed})`, {
  'every rollout completes, nothing is half-written, no node is stuck': async () => {
    let cluster = await up({ dataDir, args })
    const nodes = await readdir(join(dataDir, 'nodes'))
    const texts = new Set<string | undefined>([undefined])
    for (let index = 0; index < kills; index += 1) {
      const text = contentOf(index)
      texts.add(text)
      await kubectlFor(cluster).run(['apply', '-f', '-'], { input: machineConfig(index) })
      await sleep(random() * 1500)
      await cluster.kill()
      for (const node of nodes) await checkDisk(node, texts)
      cluster = await up({ dataDir, args, waitForReady: false })
      await checkBudget(cluster)
      if (index % 10 === 9) await checkCompleted(cluster, nodes, text)
      process.stdout.write(`${index + 1}/${kills}${index % 10 === 9 ? '\n' : ' '}`)
    }
    await checkCompleted(cluster, nodes, contentOf(kills - 1))
    await cluster.stop()
  },
})
await rm(dataDir, { recursive: true, force: true })
// A failed run leaves its cluster behind; its pipes would keep this process alive.
process.exit()

/** Content of a size that takes several writes, so that a torn file would show. */
function contentOf(index: number): string {
  return `generation ${index}\n${'0123456789abcdef'.repeat(1024)}\nend ${index}\n`
}

/**
 * Dead, the machine holds contents that were asked for, whole; and unless its journal says how to finish or undo, exactly
 * those that its currentconfig names.
 */
async function checkDisk(node: string, texts: ReadonlySet<string | undefined>): Promise<void> {
  const root = join(dataDir, 'nodes', node, 'root')
  const recorded = await textOf(join(root, 'etc/machine-config-daemon/currentconfig'))
  // Open from the end of its first line on.
  const isOpen = (await textOf(join(root, 'var/lib/mco/journal/current/records')))?.includes('\n') ?? false
  const named = new Map((recorded === undefined ? [] : filesOf(recorded)).map(({ path, text }) => [path, text]))
  for (const path of ['/etc/first.conf', '/etc/second.conf']) {
    const text = await textOf(join(root, path))
    const start = JSON.stringify(text?.slice(0, 20))
    assert.ok(texts.has(text), `${node}: ${path} is half-written (${text?.length} bytes, starts ${start})`)
    if (!isOpen)
      assert.equal(text?.slice(0, 20), named.get(path)?.slice(0, 20), `${node}: ${path} is not what currentconfig says`)
  }
}

function filesOf(currentConfig: string): { path: string; text: string }[] {
  const files: { path: string; contents?: { source?: string } }[] =
    JSON.parse(currentConfig).spec?.config?.storage?.files ?? []
  return files.map(({ path, contents }) => ({
    path,
    text: Buffer.from(contents?.source?.split('base64,')[1] ?? '', 'base64').toString(),
  }))
}

/** Killed or not, never more workers are disrupted by us than the budget allows. */
async function checkBudget(cluster: RunningCluster): Promise<void> {
  const { items } = await kubectlFor(cluster).json<{
    items: { metadata: { name: string; annotations: Record<string, string> }; spec: { unschedulable?: boolean } }[]
  }>(['get', 'nodes', '-l', 'node-role.kubernetes.io/worker'])
  const disrupted = items.filter(({ metadata, spec }) => {
    const annotation = (key: string) => metadata.annotations[`machineconfiguration.openshift.io/${key}`]
    return spec.unschedulable === true || annotation('currentConfig') !== annotation('desiredConfig')
  })
  assert.ok(
    disrupted.length <= 1,
    `maxUnavailable is 1, disrupted: ${disrupted.map(({ metadata }) => metadata.name).join(', ')}`,
  )
}

async function checkCompleted(cluster: RunningCluster, nodes: readonly string[], text: string): Promise<void> {
  const { run, json } = kubectlFor(cluster)
  await until(
    async () => {
      const pool = await json<{
        spec: { configuration: { name: string } }
        status?: { configuration?: { name?: string }; conditions?: { type: string; status: string }[] }
      }>(['get', 'mcp', 'worker'])
      const updated = pool.status?.conditions?.some(
        (condition) => condition.type === 'Updated' && condition.status === 'True',
      )
      return (
        updated === true &&
        pool.status?.configuration?.name === pool.spec.configuration.name &&
        (await diskOf(nodes, run)).every((found) => found === text)
      )
    },
    `the rollout to complete on every worker; output:\n${cluster.output().slice(-3000)}`,
    120_000,
  )
  for (const node of nodes) {
    const object = await json<{ spec: { unschedulable?: boolean }; metadata: { annotations: Record<string, string> } }>(
      ['get', 'node', node],
    )
    assert.equal(object.spec.unschedulable ?? false, false, `${node} is still cordoned`)
    const annotation = (key: string) => object.metadata.annotations[`machineconfiguration.openshift.io/${key}`]
    assert.equal(annotation('state'), 'Done', `${node}: ${annotation('reason')}`)
    assert.equal(annotation('currentConfig'), annotation('desiredConfig'))
    const current = JSON.parse(
      await readFile(join(dataDir, 'nodes', node, 'root/etc/machine-config-daemon/currentconfig'), 'utf8'),
    )
    assert.equal(
      current.metadata.name,
      annotation('currentConfig'),
      `${node}: currentconfig on disk names another config`,
    )
  }
}

async function diskOf(
  nodes: readonly string[],
  run: (args: readonly string[]) => Promise<string>,
): Promise<(string | undefined)[]> {
  const workers = (
    await run(['get', 'nodes', '-l', 'node-role.kubernetes.io/worker', '-o', 'jsonpath={.items[*].metadata.name}'])
  ).split(' ')
  return Promise.all(
    nodes
      .filter((node) => workers.includes(node))
      .flatMap((node) =>
        ['etc/first.conf', 'etc/second.conf'].map((path) => textOf(join(dataDir, 'nodes', node, 'root', path))),
      ),
  )
}

function machineConfig(index: number): string {
  const source = `data:;base64,${Buffer.from(contentOf(index)).toString('base64')}`
  const file = (path: string) => ({ path, mode: 0o644, overwrite: true, contents: { source } })
  return JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: '90-worker-crash', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
    spec: {
      config: {
        ignition: { version: '3.5.0' },
        storage: { files: [file('/etc/first.conf'), file('/etc/second.conf')] },
      },
    },
  })
}

function numberFlag(name: string, fallback: number): number {
  const at = process.argv.indexOf(name)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A small seeded generator: the same seed names the same moments. */
function mulberry32(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
