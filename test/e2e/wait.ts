import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import process from 'node:process'
import { Node } from '../../src/api/core.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { MachineConfiguration } from '../../src/api/machineConfiguration.ts'
import { machineConfigLabel, nodeAnnotation, nodeState } from '../../src/api/names.ts'
import { waitForArrival } from '../../src/history/waitForArrival.ts'
import { kubeClient } from '../../src/kube/client.ts'
import { clusterConnection } from '../../src/kube/clusterConnection.ts'
import { Retryable } from '../../src/kube/errors.ts'
import { httpTransport } from '../../src/kube/httpTransport.ts'
import type { KubeApi } from '../../src/kube/kubeApi.ts'
import { kubectlFor, mco, suite, textOf, up } from './harness.ts'

/**
 * Two hundred changes in random order, some of nothing, each followed at once by a wait: when it returns, every node's disk
 * and annotations are as the changes say. `MCO_SEED` repeats a run.
 */
const seed = Number(process.env.MCO_SEED ?? randomInt(1 << 30))
const changes = Number(process.env.MCO_CHANGES ?? 200)
console.log(`seed ${seed}, ${changes} changes`)

const cluster = await up({ args: ['--pools', 'master=1,worker=3'] })
const { run, result } = kubectlFor(cluster)
const connection = await clusterConnection({ env: {}, kubeconfig: cluster.kubeconfig })
const kube = kubeClient(httpTransport(connection), { userAgent: 'wait-proof' })
const workers = ['worker-0', 'worker-1', 'worker-2']
const names = ['50-a', '51-b', '52-c', '53-d']
const pathOf = (name: string) => `/etc/mco-wait/${name}`

/** What each fragment says now; null where it is not there, empty where it brings no file. */
const wanted = new Map<string, string | null>(names.map((name) => [name, null]))

await kube.patch(
  MachineConfiguration,
  { name: 'cluster' },
  {
    type: 'merge',
    body: { spec: { nodeDisruptionPolicy: { files: [{ path: '/etc/mco-wait', actions: [{ type: 'None' }] }] } } },
  },
)
await kube.patch(MachineConfigPool, { name: 'worker' }, { type: 'merge', body: { spec: { maxUnavailable: 3 } } })

await suite('wait', {
  [`${changes} random changes, and no wait returns early`]: async () => {
    const random = randomFrom(seed)
    const pick = <T>(list: readonly T[]): T => {
      const item = list[Math.floor(random() * list.length)]
      assert.ok(item !== undefined)
      return item
    }
    const kinds = new Map<string, number>()
    let longest = 0
    for (let change = 0; change < changes; change++) {
      const name = pick(names)
      const kind = await changeSomething(
        name,
        pick(['set', 'set', 'set', 'delete', 'again', 'mark', 'empty', 'two']),
        change,
      )
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      const started = Date.now()
      if (change % 20 === 19) await mco(['wait', 'mcp/worker', '--quiet', '--kubeconfig', cluster.kubeconfig])
      else await waitForArrival(kube, () => ['worker'], { signal: AbortSignal.timeout(60_000) })
      longest = Math.max(longest, Date.now() - started)
      await everythingIsThere(`change ${change} (${kind} of ${name}, seed ${seed})`)
    }
    const told = [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')
    console.log(`      ${told}; the longest wait took ${longest} ms`)
  },
  'an API server that goes away in the middle of a wait': async () => {
    const isPaused = (paused: boolean) =>
      kube.patch(MachineConfigPool, { name: 'worker' }, { type: 'merge', body: { spec: { paused } } })
    await isPaused(true)
    await set('50-a', 'while it is away')
    let failures = 0
    const told: string[] = []
    const flaky: KubeApi = {
      ...kube,
      list: (kind, options) => {
        if (kind.kind !== Node.kind || failures === 0) return kube.list(kind, options)
        failures--
        return Promise.reject(new Retryable('list nodes: connect ECONNREFUSED'))
      },
    }
    const arrival = waitForArrival(flaky, () => ['worker'], {
      signal: AbortSignal.timeout(60_000),
      onProgress: () => {
        // From the first look on: it is there again for the third read after that.
        if (told.length === 0) failures = 2
      },
      onAway: (why) => {
        told.push(why)
        if (told.length === 1) isPaused(false).catch((error: unknown) => told.push(String(error)))
      },
    })
    assert.deepEqual(
      (await arrival).map(({ kind }) => kind),
      ['arrived'],
    )
    assert.deepEqual(told, ['list nodes: connect ECONNREFUSED'])
    await everythingIsThere('after the outage')
    const refused: KubeApi = { ...kube, list: () => Promise.reject(new Retryable('connect ECONNREFUSED')) }
    await assert.rejects(
      waitForArrival(refused, () => ['worker'], { signal: AbortSignal.timeout(60_000) }),
      /ECONNREFUSED/,
    )
  },
  'a fragment that is deleted, and one that no pool selects': async () => {
    await set('50-a', 'last')
    await mco(['wait', 'mc/50-a', '--kubeconfig', cluster.kubeconfig])
    await everythingIsThere('after the last set')
    await remove('50-a')
    const gone = await mco(['wait', 'mc/50-a', '--kubeconfig', cluster.kubeconfig])
    assert.match(gone.stdout, /mcp\/worker: every node has rendered-worker-/)
    await everythingIsThere('after the last delete')
    await kube.create(MachineConfig, { metadata: { name: '99-nobody' }, spec: {} })
    assert.match((await mco(['wait', 'mc/99-nobody', '--kubeconfig', cluster.kubeconfig])).stdout, /no pool selects it/)
    const unknown = await mco(['wait', 'mc/98-never', '--kubeconfig', cluster.kubeconfig], { code: 3 })
    assert.match(unknown.stderr, /no MachineConfig 98-never/)
  },
  'a pause is told, and ends a wait that must not wait for a person': async () => {
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":true}}'])
    await set('50-a', 'behind the pause')
    const stuck = await mco(['wait', 'mc/50-a', '--fail-fast', '--kubeconfig', cluster.kubeconfig], { code: 1 })
    assert.match(stuck.stderr, /paused/)
    const late = await mco(['wait', 'mcp/worker', '--timeout', '1s', '--kubeconfig', cluster.kubeconfig], { code: 1 })
    assert.match(late.stderr, /has not arrived after 1 s/)
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":false}}'])
    await mco(['wait', 'mcp/worker', '--kubeconfig', cluster.kubeconfig])
    await everythingIsThere('after the pause')
  },
  'kubectl waits for the rollout that a change made': async () => {
    await set('51-b', 'for kubectl')
    const { generation } = (await kube.get(MachineConfig, { name: '51-b' })).metadata
    const selector = `change.machineconfig.io/51-b=${generation}`
    let waited = await result(['wait', 'poolrollouts', '-l', selector, '--for=condition=Settled', '--timeout=60s'])
    // Until the rollout exists kubectl has nothing to wait for, and says so instead of returning early.
    while (waited.code !== 0 && /no matching resources/.test(waited.stderr))
      waited = await result(['wait', 'poolrollouts', '-l', selector, '--for=condition=Settled', '--timeout=60s'])
    assert.equal(waited.code, 0, waited.stderr)
    await everythingIsThere('after kubectl wait')
  },
})
await cluster.stop()

async function changeSomething(name: string, kind: string, change: number): Promise<string> {
  const present = wanted.get(name) ?? null
  switch (kind) {
    case 'two':
      await set(name, `content ${change}`)
      await set(names.find((other) => other !== name) ?? name, `other content ${change}`)
      return kind
    case 'delete':
      if (present === null) return 'nothing'
      await remove(name)
      return kind
    case 'again':
      if (present === null) return 'nothing'
      await set(name, present)
      return kind
    case 'mark':
      if (present === null) return 'nothing'
      await kube.patch(
        MachineConfig,
        { name },
        { type: 'merge', body: { metadata: { annotations: { 'example.com/change': String(change) } } } },
      )
      return kind
    case 'empty':
      await set(name, '')
      return kind
    default:
      await set(name, `content ${change}`)
      return 'set'
  }
}

async function set(name: string, content: string): Promise<void> {
  const files =
    content === ''
      ? []
      : [
          {
            path: pathOf(name),
            mode: 0o644,
            overwrite: true,
            contents: { source: `data:,${encodeURIComponent(content)}` },
          },
        ]
  const spec = { config: { ignition: { version: '3.5.0' }, storage: { files } } }
  if (wanted.get(name) === null) {
    const labels = { [machineConfigLabel.role]: 'worker' }
    await kube.create(MachineConfig, { metadata: { name, labels }, spec })
  } else {
    await kube.patch(MachineConfig, { name }, { type: 'merge', body: { spec } })
  }
  wanted.set(name, content)
}

async function remove(name: string): Promise<void> {
  await kube.delete(MachineConfig, { name })
  wanted.set(name, null)
}

/** Disks first: what they say a moment later than the wait's end must hold already. */
async function everythingIsThere(when: string): Promise<void> {
  const disks = await Promise.all(
    workers.flatMap((node) =>
      names.map(async (name) => [node, name, await textOf(`${cluster.nodeRoot(node)}${pathOf(name)}`)] as const),
    ),
  )
  const [{ items }, pool] = [await kube.list(Node), await kube.get(MachineConfigPool, { name: 'worker' })]
  for (const [node, name, text] of disks) {
    assert.equal(text ?? '', wanted.get(name) ?? '', `${pathOf(name)} on ${node} after ${when}`)
  }
  for (const { metadata } of items.filter((node) => workers.includes(node.metadata.name ?? ''))) {
    const { currentConfig, desiredConfig, state } = nodeAnnotation
    const found = [currentConfig, desiredConfig, state].map((key) => metadata.annotations?.[key])
    const target = pool.spec.configuration?.name
    assert.deepEqual(found, [target, target, nodeState.done], `${metadata.name} after ${when}`)
  }
}

/** Numbers from 0 to 1 that follow from the seed. */
function randomFrom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) >>> 0
    state ^= state + Math.imul(state ^ (state >>> 7), state | 61)
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296
  }
}
