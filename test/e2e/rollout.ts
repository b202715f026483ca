import assert from 'node:assert/strict'
import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { KubeConfig } from '@kubernetes/client-node'
import { kubectlFor, suite, textOf, until, up } from './harness.ts'
import { brokenRules, recordHistory } from './rolloutHistory.ts'

/** Proofs 2 and 3: every example reaches every node's disk within maxUnavailable; pause, undo and custom pools. */
const cluster = await up({ args: ['--pools', 'master=1,worker=4'] })
const { run, json, result } = kubectlFor(cluster)
const config = new KubeConfig()
config.loadFromFile(cluster.kubeconfig)

const workers = (await run(['get', 'nodes', '-l', 'node-role.kubernetes.io/worker', '-o', 'name']))
  .trim()
  .split('\n')
  .map((name) => name.replace('node/', ''))
const target = (pool: string) => run(['get', 'mcp', pool, '-o', 'jsonpath={.spec.configuration.name}'])

/** Applies and waits until the pool has a new target and all its nodes have it. */
async function rolledOut(pool: string, change: () => Promise<unknown>): Promise<void> {
  const before = await target(pool)
  await change()
  await until(async () => (await target(pool)) !== before, `a new target of pool ${pool}`)
  await run(['wait', `mcp/${pool}`, '--for=condition=Updated', '--timeout=120s'])
  const wanted = await target(pool)
  await until(
    async () => (await run(['get', 'mcp', pool, '-o', 'jsonpath={.status.configuration.name}'])) === wanted,
    `pool ${pool} to complete ${wanted}`,
    120_000,
  )
}

async function onEveryWorker(check: (root: string) => Promise<void>): Promise<void> {
  await Promise.all(workers.map((worker) => check(cluster.nodeRoot(worker))))
}

async function appliesWithinBudget(file: string, check: (root: string) => Promise<void>): Promise<void> {
  const history = await recordHistory(config)
  await rolledOut('worker', () => run(['apply', '-f', file]))
  await onEveryWorker(check)
  await until(() => history.moments.length > 0, 'node events')
  history.stop()
  assert.ok(
    history.mostUnavailable('worker') <= 1,
    `maxUnavailable is 1, ${history.mostUnavailable('worker')} workers were down at once`,
  )
  assert.deepEqual(brokenRules(history.moments), [])
}

const mode = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8)

await suite('rollout', {
  'chrony: file with mode on every worker': () =>
    appliesWithinBudget('examples/chrony.yaml', async (root) => {
      assert.match((await textOf(join(root, 'etc/chrony.conf'))) ?? '', /^pool time\.example\.com iburst\n/)
      assert.equal(await mode(join(root, 'etc/chrony.conf')), '644')
    }),
  'sysctl: base64 content': () =>
    appliesWithinBudget('examples/sysctl.yaml', async (root) => {
      assert.match((await textOf(join(root, 'etc/sysctl.d/90-inotify.conf'))) ?? '', /max_user_watches = 524288/)
    }),
  'unit with drop-in: written, enabled, linked': () =>
    appliesWithinBudget('examples/unit-with-dropin.yaml', async (root) => {
      const units = join(root, 'etc/systemd/system')
      assert.match((await textOf(join(units, 'node-tuning.service'))) ?? '', /ExecStart=/)
      assert.match((await textOf(join(units, 'kubelet.service.d/20-limits.conf'))) ?? '', /LimitNOFILE=1048576/)
      const link = join(units, 'multi-user.target.wants/node-tuning.service')
      assert.ok((await lstat(link)).isSymbolicLink())
      assert.match(await readlink(link), /node-tuning\.service$/)
    }),
  'ssh key: for core, private, without a drain': async () => {
    const history = await recordHistory(config)
    await rolledOut('worker', () => run(['apply', '-f', 'examples/ssh-key.yaml']))
    await onEveryWorker(async (root) => {
      const path = join(root, 'home/core/.ssh/authorized_keys.d/ignition')
      assert.match((await textOf(path)) ?? '', /^ssh-ed25519 /)
      assert.equal(await mode(path), '600')
    })
    history.stop()
    assert.deepEqual(
      history.moments.filter((moment) => moment.unschedulable),
      [],
    )
  },
  'kernel arguments: recorded for the boot loader, booted with': () =>
    appliesWithinBudget('examples/kernel-arguments.yaml', async (root) => {
      assert.match(
        (await textOf(join(root, 'var/lib/mco/booted-kernel-arguments'))) ?? '',
        /loglevel=7\s+console=ttyS0,115200n8/,
      )
    }),
  'Ignition 2.2 with a base64 data URL: an executable script': () =>
    appliesWithinBudget('examples/ignition-2.2-script.yaml', async (root) => {
      assert.match((await textOf(join(root, 'usr/local/bin/node-report'))) ?? '', /^#!\/bin\/sh\n/)
      assert.equal(await mode(join(root, 'usr/local/bin/node-report')), '755')
    }),
  'disruption policy: a restart replaces drain and reboot': async () => {
    await run(['apply', '--server-side', '--force-conflicts', '-f', 'examples/disruption-policy.yaml'])
    await until(
      async () =>
        /chrony\.conf/.test(
          await run([
            'get',
            'machineconfiguration',
            'cluster',
            '-o',
            'jsonpath={.status.nodeDisruptionPolicyStatus.clusterPolicies.files[*].path}',
          ]),
        ),
      'the policy in force',
    )
    const history = await recordHistory(config)
    const patch = JSON.stringify({
      spec: {
        config: {
          ignition: { version: '3.5.0' },
          storage: {
            files: [
              {
                path: '/etc/chrony.conf',
                mode: 0o600,
                overwrite: true,
                contents: { source: 'data:,pool%20other.example.com%0A' },
              },
            ],
          },
        },
      },
    })
    await rolledOut('worker', () => run(['patch', 'mc', '99-worker-chrony', '--type=merge', '-p', patch]))
    await onEveryWorker(async (root) => {
      assert.equal(await textOf(join(root, 'etc/chrony.conf')), 'pool other.example.com\n')
      assert.equal(await mode(join(root, 'etc/chrony.conf')), '600')
    })
    history.stop()
    assert.deepEqual(
      history.moments.filter((moment) => moment.unschedulable),
      [],
      'no node is drained for a restart',
    )
  },
  'pause: nothing moves; unpause: one jump to the newest': async () => {
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":true}}'])
    const before = await json<{ items: unknown[] }>(['get', 'nodes'])
    const desiredOf = (list: { items: unknown[] }) =>
      list.items.map(
        (item) =>
          (item as { metadata: { annotations: Record<string, string> } }).metadata.annotations[
            'machineconfiguration.openshift.io/desiredConfig'
          ],
      )
    const old = await target('worker')
    for (const value of ['one', 'two', 'three']) {
      const last = await target('worker')
      await run(['apply', '-f', '-'], { input: motd('90-worker-motd', 'worker', value) })
      await until(async () => (await target('worker')) !== last, 'a new target behind the pause')
    }
    assert.match(
      await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.status.conditions[?(@.type=="Updating")].message}']),
      /Pool is paused; will not update to MachineConfig rendered-worker-/,
    )
    assert.deepEqual(desiredOf(await json(['get', 'nodes'])), desiredOf(before))
    assert.equal(await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.status.configuration.name}']), old)
    const history = await recordHistory(config)
    const newest = await target('worker')
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":false}}'])
    await until(
      async () => (await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.status.configuration.name}'])) === newest,
      'the jump to the newest config',
      120_000,
    )
    history.stop()
    const seen = new Set(history.moments.filter((moment) => moment.pool === 'worker').map((moment) => moment.desired))
    assert.deepEqual(
      [...seen].filter((name) => name !== old && name !== newest),
      [],
      'no intermediate config was ever targeted',
    )
    await onEveryWorker(async (root) => assert.equal(await textOf(join(root, 'etc/motd')), 'three\n'))
  },
  'delete: the previous content is back': async () => {
    await rolledOut('worker', () => run(['delete', 'mc', '90-worker-motd']))
    await onEveryWorker(async (root) => assert.notEqual(await textOf(join(root, 'etc/motd')), 'three\n'))
    await rolledOut('worker', () => run(['delete', 'mc', '50-worker-sysctl']))
    await onEveryWorker(async (root) =>
      assert.equal(await textOf(join(root, 'etc/sysctl.d/90-inotify.conf')), undefined),
    )
  },
  'custom pool: a node moves in and out': async () => {
    const mover = workers[0] ?? ''
    await run(['apply', '-f', 'examples/infra-pool.yaml'])
    await until(async () => (await target('infra')) !== '', 'a target of pool infra')
    await run(['label', 'node', mover, 'node-role.kubernetes.io/infra='])
    await until(
      async () => (await textOf(join(cluster.nodeRoot(mover), 'etc/motd'))) === 'This node runs infrastructure.\n',
      'the motd of the infra pool',
      120_000,
    )
    await run(['wait', 'mcp/infra', '--for=condition=Updated', '--timeout=120s'])
    await until(
      async () => (await run(['get', 'mcp', 'infra', '-o', 'jsonpath={.status.updatedMachineCount}'])) === '1',
      'one updated machine in pool infra',
      120_000,
    )
    assert.equal(await run(['get', 'machineconfignode', mover, '-o', 'jsonpath={.spec.pool.name}']), 'infra')
    await run(['label', 'node', mover, 'node-role.kubernetes.io/infra-'])
    await until(
      async () => (await textOf(join(cluster.nodeRoot(mover), 'etc/motd'))) !== 'This node runs infrastructure.\n',
      'the worker motd again',
      120_000,
    )
    await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=120s'])
  },
  'two custom pools for one node: the node says so': async () => {
    const node = workers[1] ?? ''
    await run(['apply', '-f', '-'], { input: customPool('edge') })
    await run(['label', 'node', node, 'node-role.kubernetes.io/infra=', 'node-role.kubernetes.io/edge='])
    await until(
      async () =>
        /belongs to 2 custom roles/.test(
          `${await run(['get', 'events', '-A'])}${await run(['get', 'node', node, '-o', 'yaml'])}`,
        ),
      'the conflict to be reported',
    )
    await run(['label', 'node', node, 'node-role.kubernetes.io/infra-', 'node-role.kubernetes.io/edge-'])
    await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=120s'])
    assert.equal((await result(['delete', 'mcp', 'edge'])).code, 0)
  },
  'no temporary file is left on any disk': () =>
    onEveryWorker(async (root) => {
      const names = (await readdir(join(root, 'etc'), { recursive: true })).filter((name) =>
        /(^|\/)\.[^/]*(tmp|mco|staged)/.test(name),
      )
      assert.deepEqual(names, [])
    }),
})
await cluster.stop()

function motd(name: string, role: string, text: string): string {
  return JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name, labels: { 'machineconfiguration.openshift.io/role': role } },
    spec: {
      config: {
        ignition: { version: '3.5.0' },
        storage: {
          files: [{ path: '/etc/motd', mode: 0o644, overwrite: true, contents: { source: `data:,${text}%0A` } }],
        },
      },
    },
  })
}

function customPool(name: string): string {
  return JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name },
    spec: {
      machineConfigSelector: {
        matchExpressions: [{ key: 'machineconfiguration.openshift.io/role', operator: 'In', values: ['worker', name] }],
      },
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } },
    },
  })
}
