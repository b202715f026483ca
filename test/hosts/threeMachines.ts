import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Node } from '../../src/api/core.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { driftModeAnnotation } from '../../src/daemon/driftMode.ts'
import { planFleet } from '../../src/embedded/fleet.ts'
import { type SingleProcessCluster, startSingleProcess } from '../../src/embedded/singleProcess.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { silentLog } from '../../src/kube/log.ts'
import { kubectlFor, until } from '../e2e/harness.ts'
import { isOnDisk } from './renderedOnDisk.ts'
import type { TestHost } from './testHost.ts'
import { watchPods } from './watchPods.ts'

const prefix = 'machineconfiguration.openshift.io'

/** The control plane, here; its one machine is a directory, the workers are the test hosts. */
export async function startControlPlane(dataDir: string, host: string): Promise<SingleProcessCluster> {
  const plan = planFleet(new Map([['master', 1]]))
  if (plan.kind === 'refused') throw new Error(plan.reason)
  return startSingleProcess({
    dataDir,
    host,
    port: 0,
    fleet: plan.nodes,
    customPools: [],
    build: { version: 'test', hash: createHash('sha1').update('test').digest('hex') },
    clock: systemClock,
    random: Math.random,
    log: silentLog,
  })
}

/** A cluster of real machines: every example of the repository, the budget, reboots, drift, a custom pool. */
export function threeMachines(
  cluster: SingleProcessCluster,
  hosts: readonly TestHost[],
): Record<string, () => Promise<void>> {
  const kubectl = kubectlFor({ kubeconfig: cluster.kubeconfigPath })
  const node = (name: string) => cluster.kube.get(Node, { name })
  const annotation = async (name: string, key: string) =>
    (await node(name)).metadata.annotations?.[`${prefix}/${key}`] ?? ''
  const wait = (pool: string) =>
    kubectl.run(['wait', `mcp/${pool}`, '--for=condition=Updated', '--timeout=300s'], { timeoutMs: 320_000 })
  const settled = async (pool: string, nodes: readonly TestHost[] = hosts): Promise<void> => {
    await until(
      async () => {
        const wanted = await poolTarget(pool)
        for (const { name } of nodes) {
          if ((await annotation(name, 'currentConfig')) !== wanted) return false
          if ((await annotation(name, 'state')) !== 'Done') return false
        }
        return true
      },
      `pool ${pool} to settle`,
      300_000,
    )
    await wait(pool)
  }
  const poolTarget = async (pool: string): Promise<string> =>
    (await kubectl.run(['get', 'mcp', pool, '-o', 'jsonpath={.spec.configuration.name}'])).trim()
  const rendered = async (pool: string, before: string): Promise<void> =>
    until(async () => (await poolTarget(pool)) !== before, `pool ${pool} to be rendered anew`, 30_000)
  const output = async (host: TestHost, program: string, ...args: readonly string[]): Promise<string> =>
    (await host.run(program, args)).stdout.trim()
  const mainPid = (host: TestHost, unit: string) =>
    output(host, 'systemctl', 'show', '--property=MainPID', '--value', unit)
  const apply = async (path: string): Promise<void> => void (await kubectl.run(['apply', '-f', path]))
  const applyObject = async (object: object): Promise<void> =>
    void (await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(object) }))
  const machineConfig = (name: string, role: string, config: object) => ({
    apiVersion: `${prefix}/v1`,
    kind: 'MachineConfig',
    metadata: { name, labels: { [`${prefix}/role`]: role } },
    spec: { config: { ignition: { version: '3.5.0' }, ...config } },
  })
  const unavailable = watchUnavailable(cluster, new Set(hosts.map(({ name }) => name)))

  const pods = watchPods(cluster, app, hosts.length)

  return {
    'three machines join, and come to the config of their pool': async () => {
      await until(async () => (await cluster.kube.list(Node)).items.length === 4, 'all nodes', 15_000)
      await settled('worker')
      for (const host of hosts) equal((await node(host.name)).status?.nodeInfo?.bootID, await host.bootId())
    },
    'pods run on the machines, with a budget': async () => {
      await applyObject(workload(hosts.length))
      await applyObject(budget)
      await kubectl.run(['wait', `deployment/${app}`, '--for=condition=Available', '--timeout=60s'])
      await until(() => pods.leastReady() === hosts.length, 'every pod to be ready', 30_000)
    },
    'every example reaches every machine, one machine at a time, through a real reboot': async () => {
      const before = await poolTarget('worker')
      const boots = new Map<string, string>()
      for (const host of hosts) boots.set(host.name, await host.bootId())
      await applyObject(
        machineConfig('70-worker-demo', 'worker', {
          systemd: {
            units: [
              {
                name: 'mco-demo.service',
                enabled: true,
                contents: '[Service]\nExecStart=/bin/sleep 100000\n[Install]\nWantedBy=multi-user.target\n',
              },
              { name: 'e2scrub_fail@.service', mask: true },
            ],
          },
        }),
      )
      // A new example needs its own checks: here, with the policy, with the custom pool, or in keptMachine.ts.
      deepEqual((await readdir('examples')).sort(), [
        ...['README.md', 'chrony.yaml', 'disruption-policy.yaml', 'ignition-2.2-script.yaml', 'infra-pool.yaml'],
        ...['kernel-arguments.yaml', 'ssh-key.yaml', 'sysctl.yaml', 'systemd', 'unit-with-dropin.yaml'],
      ])
      await apply('examples')
      await rendered('worker', before)
      await settled('worker')
      const wanted = await cluster.kube.get(MachineConfig, { name: await poolTarget('worker') })
      for (const host of hosts) {
        await isOnDisk(host, wanted)
        notEqual(await host.bootId(), boots.get(host.name))
        equal((await node(host.name)).status?.nodeInfo?.bootID, await host.bootId())
        match(await output(host, 'cat', '/etc/chrony.conf'), /time\.example\.com/)
        equal(await output(host, 'stat', '-c', '%a %U', '/usr/local/bin/node-report'), '755 root')
        equal(await output(host, 'stat', '-c', '%a %U', '/etc/sysctl.d/90-inotify.conf'), '644 root')
        match(await output(host, '/usr/local/bin/node-report'), /Debian GNU\/Linux 12/)
        equal(await output(host, 'systemctl', 'is-enabled', 'node-tuning.service'), 'enabled')
        match(await output(host, 'cat', '/etc/systemd/system/kubelet.service.d/20-limits.conf'), /LimitNOFILE/)
        match(await output(host, 'cat', '/proc/cmdline'), /loglevel=7 console=ttyS0,115200n8/)
        equal(await output(host, 'stat', '-c', '%a %U:%G', '/home/core/.ssh/authorized_keys2'), '600 core:core')
        equal(await output(host, 'systemctl', 'is-active', 'mco-demo.service'), 'active')
        equal(await output(host, 'systemctl', 'is-enabled', 'e2scrub_fail@.service'), 'masked')
        equal((await node(host.name)).spec?.unschedulable ?? false, false)
      }
      ok(unavailable.most() <= 1, `${unavailable.most()} machines were unavailable at once`)
    },
    'the pods left each machine before it rebooted, within their budget, and none was lost': async () => {
      deepEqual(pods.rebootedUnder, [])
      ok(pods.gone.size >= hosts.length, `only ${pods.gone.size} pods were evicted`)
      ok(pods.leastReady() >= hosts.length - 1, `only ${pods.leastReady()} pods were ready at one time`)
      await kubectl.run(['rollout', 'status', `deployment/${app}`, '--timeout=60s'])
      // Uncordoned for good: each takes a pod again.
      await kubectl.run(['scale', `deployment/${app}`, `--replicas=${3 * hosts.length}`])
      await kubectl.run(['rollout', 'status', `deployment/${app}`, '--timeout=60s'])
      const nodes = await kubectl.run(['get', 'pods', '-l', `app=${app}`, '-o', 'jsonpath={.items[*].spec.nodeName}'])
      deepEqual([...new Set(nodes.trim().split(' '))].sort(), hosts.map(({ name }) => name).sort())
      await kubectl.run(['delete', `deployment/${app}`, `pdb/${app}`])
    },
    'a policy restarts a service instead of the machine': async () => {
      const before = await poolTarget('worker')
      const bootIds = await Promise.all(hosts.map((host) => host.bootId()))
      const pids = await Promise.all(hosts.map((host) => mainPid(host, 'chronyd.service')))
      const source = `data:,${encodeURIComponent('pool ntp.example.net iburst\n')}`
      const file = { path: '/etc/chrony.conf', mode: 0o644, overwrite: true, contents: { source } }
      await applyObject(machineConfig('99-worker-chrony', 'worker', { storage: { files: [file] } }))
      await rendered('worker', before)
      await settled('worker')
      for (const [index, host] of hosts.entries()) {
        match(await output(host, 'cat', '/etc/chrony.conf'), /ntp\.example\.net/)
        equal(await host.bootId(), bootIds[index])
        notEqual(await mainPid(host, 'chronyd.service'), pids[index])
      }
    },
    'a change by hand is found and repaired': async () => {
      for (const host of hosts) {
        await writeFile(join(host.root, 'etc/sysctl.d/90-inotify.conf'), `by hand ${randomUUID()}`)
        // Written from outside, an overlay tells nobody inside: the same by a process of the host.
        await host.run('chmod', ['600', '/etc/sysctl.d/90-inotify.conf'])
        const path = '/etc/sysctl.d/90-inotify.conf'
        await until(async () => (await output(host, 'stat', '-c', '%a', path)) === '644', 'the repair', 20_000)
        match(await output(host, 'cat', path), /max_user_watches/)
      }
    },
    'in the mode degrade it is told within seconds, and put back by hand it is forgiven without a boot': async () => {
      await kubectl.run(['annotate', 'mcp', 'worker', `${driftModeAnnotation}=degrade`])
      const path = '/etc/sysctl.d/90-inotify.conf'
      const degrades = async (host: TestHost): Promise<void> => {
        const [bootId, good] = [await host.bootId(), await host.must('cat', [path])]
        const write = (input: string) => host.must('sh', ['-c', `cat > ${path}`], { input })
        const reason = (wanted: RegExp) =>
          until(async () => wanted.test(await annotation(host.name, 'reason')), `a reason like ${wanted}`, 10_000)
        await host.must('chmod', ['600', path])
        await reason(
          /: mode mismatch for file: "\/etc\/sysctl\.d\/90-inotify\.conf"; expected: -rw-r--r--.*received: -rw-------/,
        )
        equal(await annotation(host.name, 'state'), 'Degraded')
        await host.must('chmod', ['644', path])
        await write('by hand\n')
        await reason(/: content mismatch for file "\/etc\/sysctl\.d\/90-inotify\.conf"$/)
        await write(good)
        await until(async () => (await annotation(host.name, 'state')) === 'Done', 'the state Done', 10_000)
        equal(await annotation(host.name, 'reason'), '')
        equal(await host.bootId(), bootId)
      }
      await Promise.all(hosts.map(degrades))
      await kubectl.run(['annotate', 'mcp', 'worker', `${driftModeAnnotation}-`])
      await settled('worker')
    },
    'power that is lost in the middle of an update leaves nothing half done': async () => {
      const before = await poolTarget('worker')
      const names = Array.from({ length: 100 }, (_, index) => `/etc/mco-many/file-${index}`)
      const files = names.map((path) => ({ path, mode: 0o600, contents: { source: `data:,${path.repeat(20)}` } }))
      await applyObject(machineConfig('80-worker-many', 'worker', { storage: { files } }))
      await rendered('worker', before)
      let cut = 0
      const loseEach = hosts.map(async (host, index) => {
        const open = join(host.root, 'var/lib/mco/journal/current')
        await until(() => existsSync(open), `${host.name} to start its update`, 120_000)
        await new Promise((resolve) => setTimeout(resolve, index * 120))
        if (existsSync(open)) cut += 1
        await host.loosePower()
        await host.start()
      })
      await Promise.all(loseEach)
      await settled('worker')
      ok(cut > 0, 'no machine was in the middle of its update')
      for (const host of hosts) {
        for (const path of names) equal(await readFile(join(host.root, path), 'utf8'), path.repeat(20))
        equal(await output(host, 'find', '/etc', '/usr/local', '-name', '.mco-*'), '')
      }
      ok(unavailable.most() <= 1, `${unavailable.most()} machines were unavailable at once`)
    },
    'a machine moves to a custom pool and back': async () => {
      const [, , host] = hosts
      if (!host) throw new Error('no host')
      const vendor = await output(host, 'cat', '/etc/motd')
      await kubectl.run(['label', 'node', host.name, 'node-role.kubernetes.io/infra='])
      await until(
        async () => /infrastructure/.test(await output(host, 'cat', '/etc/motd')),
        'the file of infra',
        120_000,
      )
      await settled('infra', [host])
      await kubectl.run(['label', 'node', host.name, 'node-role.kubernetes.io/infra-'])
      await until(async () => (await output(host, 'cat', '/etc/motd')) === vendor, 'the vendor file', 120_000)
      await settled('worker')
    },
  }
}

const app = 'web'
const metadata = { name: app, namespace: 'default' }
const selector = { matchLabels: { app } }

const workload = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    replicas,
    selector,
    template: {
      metadata: { labels: { app } },
      spec: {
        nodeSelector: { 'node-role.kubernetes.io/worker': '' },
        containers: [{ name: app, image: 'example.com/web:1' }],
      },
    },
  },
})

const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: { maxUnavailable: 1, selector },
}

/** The largest number of these nodes that were unavailable at one time: cordoned, or not ready. */
function watchUnavailable({ informers }: SingleProcessCluster, names: ReadonlySet<string>): { most(): number } {
  const out = new Set<string>()
  let most = 0
  informers.subscribe(Node, ({ now }) => {
    const name = now?.metadata.name ?? ''
    if (!now || !names.has(name)) return
    const isReady = now.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
    if (now.spec?.unschedulable || isReady === false) out.add(name)
    else out.delete(name)
    most = Math.max(most, out.size)
  })
  return { most: () => most }
}
