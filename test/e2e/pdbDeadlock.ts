import assert from 'node:assert/strict'
import type { Finding } from '../../src/forecast/finding.ts'
import { checkFacts, explained, runRemedy } from './explain/explained.ts'
import { kubectlFor, mco, suite, until, up } from './harness.ts'

/** The scenario that held drains for hours in silence: a budget, one worker, and a replacement that can run nowhere. */
const cluster = await up({ args: ['--scenario', 'pdb-deadlock'] })
const kubectl = kubectlFor(cluster)
const { run, json } = kubectl

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly uid: string; readonly namespace: string }
    readonly status: { readonly phase: string }
  }[]
}

const router = () => json<Pods>(['get', 'pods', '-A', '-l', 'app=router'])
let blocked: Finding | undefined

const status = async () => (await mco(['status', '--kubeconfig', cluster.kubeconfig])).stdout

await suite('pdb-deadlock', {
  'three control-plane nodes that take no pods and one worker': async () => {
    const nodes = (await run(['get', 'nodes'])).split('\n').slice(1).filter(Boolean)
    assert.equal(nodes.filter((line) => /control-plane|master/.test(line)).length, 3)
    assert.equal(nodes.filter((line) => /worker/.test(line) && !/master/.test(line)).length, 1)
  },
  'the drain holds, no pod is lost, and status names node, pod, budget and why within 10 s': async () => {
    const before = (await router()).items.map((pod) => pod.metadata.uid)
    assert.ok(before.length > 0)
    await run(['apply', '-f', 'examples/sysctl.yaml'])
    await until(
      async () => /router/.test(await status()) && /PodDisruptionBudget/i.test(await status()),
      'mco status to name the blocker',
      30_000,
    )
    const refusal = await firstRefusal()
    const text = await status()
    const worker = (
      await run(['get', 'nodes', '-l', 'node-role.kubernetes.io/worker', '-o', 'jsonpath={.items[0].metadata.name}'])
    ).trim()
    assert.match(text, new RegExp(worker))
    for (const pod of (await router()).items) assert.match(text, new RegExp(pod.metadata.name))
    assert.match(text, /router/)
    assert.match(text, /3 of 4 nodes: unschedulable; 1 node: being drained/)
    assert.ok(Date.now() - refusal < 10_000, `named ${Date.now() - refusal} ms after the first refusal`)
    assert.deepEqual(
      (await router()).items.map((pod) => pod.metadata.uid),
      before,
    )
  },
  'mco explain names the cause once, with its arithmetic, and facts that are true': async () => {
    const findings = await explained(cluster)
    const drains = findings.filter(({ code }) => code === 'DrainBlockedByBudget')
    assert.equal(drains.length, 1, JSON.stringify(findings))
    const refusal = await firstRefusal()
    assert.ok(Date.now() - refusal < 10_000, `explained ${Date.now() - refusal} ms after the drain began`)
    blocked = drains[0]
    assert.equal(blocked?.subject.kind, 'node')
    assert.match(blocked?.what ?? '', /PodDisruptionBudget router allows 0 disruptions \(1 healthy, 1 required\)/)
    assert.match(blocked?.what ?? '', /3 of 4 nodes: unschedulable; 1 node: being drained/)
    assert.match(blocked?.why ?? '', /minAvailable 1 of 1 pods: 1 healthy - 1 required leaves 0 to disrupt/)
    assert.ok(blocked?.remedy.includes(blocked.command ?? '?'), 'the remedy shows its command')
    assert.ok(blocked)
    await checkFacts(kubectl, blocked)
    assert.equal(
      findings.filter(({ subject }) => subject.name === blocked?.subject.name).length,
      1,
      'no symptom beside it',
    )
  },
  'the command of the remedy, run as it was printed, cures it': async () => {
    assert.ok(blocked)
    await runRemedy(cluster, blocked)
    await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=120s'])
    await until(
      async () => (await router()).items.some((pod) => pod.status.phase === 'Running'),
      'the router to run again',
    )
    assert.doesNotMatch(await status(), /being drained/)
    assert.deepEqual(await explained(cluster), [])
  },
})
await cluster.stop()

/** When the node first said that an eviction was refused. */
async function firstRefusal(): Promise<number> {
  const node = await json<{ items: { metadata: { annotations: Record<string, string> } }[] }>([
    'get',
    'nodes',
    '-l',
    'node-role.kubernetes.io/worker',
  ])
  const blockers = node.items[0]?.metadata.annotations['machineconfig.io/drain-blockers']
  assert.ok(blockers, 'the node carries its drain blockers')
  const started = node.items[0]?.metadata.annotations['machineconfig.io/drain-started']
  assert.ok(started, 'the node carries the time at which its drain started')
  return Date.parse(started)
}
