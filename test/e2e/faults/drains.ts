import assert from 'node:assert/strict'
import { until } from '../harness.ts'
import { type Checks, type Lab, motd } from './lab.ts'

const node = 'infra-0'

/** Pods that make a drain difficult, all on the one node of pool infra. */
export function drainChecks(lab: Lab): Checks {
  const { run, result, history } = lab
  const exists = async (kind: string, name: string) => (await result(['get', kind, name])).code === 0
  const running = async (name: string) =>
    (await run(['get', 'pod', name, '-o', 'jsonpath={.status.phase}'])) === 'Running'
  /** How long after a moment the drain was granted. */
  const drainedWithin = async (what: string, fromMs: number, limitMs: number) => {
    await until(
      async () => (await lab.line(node)).state !== 'Draining',
      `the drain to end after ${what}`,
      limitMs + 5_000,
    )
    assert.ok(Date.now() - fromMs < limitMs, `${Date.now() - fromMs} ms after ${what}`)
  }

  return {
    'drain: bare, emptyDir and finished pods go, DaemonSet pods stay': async () => {
      await lab.apply(pod('bare', {}))
      await lab.apply(pod('scratch', { volumes: [{ name: 'v', emptyDir: {} }] }))
      await lab.apply(pod('finished', { restartPolicy: 'Never' }))
      await lab.apply(daemonSet)
      for (const name of ['bare', 'scratch']) await until(() => running(name), `pod ${name} to run`)
      await until(
        async () => /Succeeded|Running/.test(await run(['get', 'pod', 'finished', '-o', 'jsonpath={.status.phase}'])),
        'the finishing pod',
      )
      const agent = () =>
        run(['get', 'pods', '-l', 'app=agent', '-o', `jsonpath={.items[?(@.spec.nodeName=="${node}")].metadata.uid}`])
      await until(async () => (await agent()) !== '', 'the pod of the DaemonSet')
      const before = await agent()
      await lab.retarget('infra', () => lab.apply(motd('pods', 'infra')))
      await lab.converged('infra')
      for (const name of ['bare', 'scratch', 'finished']) assert.equal(await exists('pod', name), false, name)
      assert.equal(await agent(), before)
      await run(['delete', 'daemonset', 'agent'])
    },
    'drain: held by a finalizer it says so within seconds, and goes on at once': async () => {
      await lab.apply(pod('held', {}, { finalizers: ['example.com/hold'] }))
      await until(() => running('held'), 'pod held to run')
      await lab.retarget('infra', () => lab.apply(motd('finalizer', 'infra')))
      await lab.says(/node infra-0.*: pod default\/held has ended, held by finalizers example\.com\/hold/)
      const freed = Date.now()
      await run(['patch', 'pod', 'held', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'])
      await drainedWithin('the finalizer went', freed, 2_500)
      await lab.converged('infra')
    },
    'drain: a budget that opens later is used within two seconds': async () => {
      await lab.apply(pod('guarded', {}, { labels: { app: 'guarded' } }))
      await lab.apply(budget('guard', 'guarded', 1))
      await until(() => running('guarded'), 'pod guarded to run')
      await lab.retarget('infra', () => lab.apply(motd('budget', 'infra')))
      await lab.says(
        /node infra-0.*: pod default\/guarded cannot be evicted: PodDisruptionBudget guard allows 0 disruptions/,
      )
      assert.ok(await running('guarded'))
      const opened = Date.now()
      await lab.apply(budget('guard', 'guarded', 0))
      await drainedWithin('the budget opened', opened, 2_500)
      await lab.converged('infra')
      await run(['delete', 'pdb', 'guard'])
    },
    'drain: two budgets for one pod are both named; with one of them gone it goes on': async () => {
      await lab.apply(pod('double', {}, { labels: { app: 'double' } }))
      await lab.apply(budget('one', 'double', 0))
      await lab.apply(budget('two', 'double', 0))
      await until(() => running('double'), 'pod double to run')
      await lab.retarget('infra', () => lab.apply(motd('double', 'infra')))
      await lab.says(
        /node infra-0.*: pod default\/double cannot be evicted: 2 PodDisruptionBudgets select it \(one, two\)/,
      )
      const freed = Date.now()
      await run(['delete', 'pdb', 'two'])
      await drainedWithin('one budget went', freed, 2_500)
      await lab.converged('infra')
      await run(['delete', 'pdb', 'one'])
    },
    'drain: withdrawn while it is held, the node is given back and nobody was evicted': async () => {
      await lab.apply(pod('stays', {}, { labels: { app: 'stays' } }))
      await lab.apply(budget('stays', 'stays', 1))
      await until(() => running('stays'), 'pod stays to run')
      const old = await lab.target('infra')
      await lab.retarget('infra', () => lab.apply(motd('withdrawn', 'infra')))
      await lab.says(/PodDisruptionBudget stays allows 0/)
      await run(['uncordon', node])
      await until(
        () => history.moments.findLast((moment) => moment.node === node)?.unschedulable === true,
        'the cordon',
      )
      assert.equal(await lab.retarget('infra', () => lab.apply(motd('double', 'infra'))), old)
      await lab.converged('infra')
      assert.ok(await running('stays'))
      assert.equal((await lab.line(node)).schedulable, true)
      await run(['delete', 'pdb', 'stays'])
      await run(['delete', 'pod', 'stays', '--grace-period=0', '--force'])
      await run(['delete', 'mc', '90-infra-motd'])
    },
  }
}

function pod(name: string, spec: object, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...metadata },
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': node },
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'main', image: 'example.com/app:1' }],
      ...spec,
    },
  }
}

function budget(name: string, app: string, minAvailable: number): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'default' },
    spec: { minAvailable, selector: { matchLabels: { app } } },
  }
}

const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: {
      metadata: { labels: { app: 'agent' } },
      spec: { containers: [{ name: 'main', image: 'example.com/agent:1' }] },
    },
  },
}
