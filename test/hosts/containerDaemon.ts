import { deepEqual, equal, match, notEqual } from 'node:assert/strict'
import { Node } from '../../src/api/core.ts'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import { kubectlFor, until } from '../e2e/harness.ts'
import { daemonUnit } from './daemonContainer.ts'
import type { TestHost } from './testHost.ts'

const group = 'machineconfiguration.openshift.io'
const broken = 'mco-broken.service'

/**
 * The daemon as a privileged container on a node: its own small root, the host's at /rootfs, a service account. What a
 * daemon does all its life it has done before (threeMachines.ts); here is what only a container shows.
 */
export function containerDaemon(cluster: SingleProcessCluster, host: TestHost): Record<string, () => Promise<void>> {
  const kubectl = kubectlFor({ kubeconfig: cluster.kubeconfigPath })
  const annotation = async (key: string): Promise<string> =>
    (await cluster.kube.get(Node, { name: host.name })).metadata.annotations?.[`${group}/${key}`] ?? ''
  const applyObject = async (object: object): Promise<void> =>
    void (await kubectl.run(['apply', '--server-side', '--force-conflicts', '-f', '-'], {
      input: JSON.stringify(object),
    }))
  const pidOfDaemon = async (): Promise<number> => JSON.parse(await host.must('crun', ['state', daemonUnit])).pid
  const get = async (path: string): Promise<string> =>
    host.must('node', ['-e', `fetch('http://127.0.0.1:8797${path}').then((answer) => answer.text()).then(console.log)`])
  const logLines = async (): Promise<readonly string[]> =>
    (await host.must('journalctl', ['--unit', daemonUnit, '--boot', '_TRANSPORT=stdout', '--output=cat', '--no-pager']))
      .trim()
      .split('\n')

  return {
    'it runs from a read-only root of its own, with no program of systemd in it, and sees the processes of the host':
      async () => {
        const pid = await pidOfDaemon()
        const link = async (path: string) => (await host.must('readlink', [path])).trim()
        notEqual(await link(`/proc/${pid}/ns/mnt`), await link('/proc/1/ns/mnt'))
        equal(await link(`/proc/${pid}/ns/pid`), await link('/proc/1/ns/pid'))
        const programs = await host.must('find', [
          `/proc/${pid}/root/usr/bin`,
          `/proc/${pid}/root/usr/sbin`,
          '-type',
          'f',
        ])
        deepEqual(
          programs
            .trim()
            .split('\n')
            .map((path) => path.split('/').at(-1))
            .sort(),
          ['chroot', 'node', 'nsenter'],
        )
        match(await host.must('cat', [`/proc/${pid}/mountinfo`]), /^\d+ \d+ \S+ \S+ \/ ro,/m)
        equal((await host.run('test', ['-e', '/etc/mco-test/daemon.conf'])).code, 1)
      },
    '/healthz and /metrics answer on the node, and the log is JSON without a warning': async () => {
      equal(await get('/healthz'), 'ok\n')
      match(await get('/metrics'), /^mcd_host_os_and_version\{os="DEBIAN",version="12"\} 1$/m)
      for (const line of await logLines()) {
        const entry: Record<string, unknown> = JSON.parse(line)
        deepEqual([typeof entry.time, entry.level, typeof entry.msg], ['string', 'info', 'string'])
      }
    },
    'a config whose unit fails is taken back from the host; without it the node is well again': async () => {
      await applyObject({
        apiVersion: 'operator.openshift.io/v1',
        kind: 'MachineConfiguration',
        metadata: { name: 'cluster' },
        spec: {
          nodeDisruptionPolicy: {
            units: [{ name: broken, actions: [{ type: 'Restart', restart: { serviceName: broken } }] }],
            files: [{ path: '/etc/mco-beside', actions: [{ type: 'None' }] }],
          },
        },
      })
      await kubectl.run(['label', 'node', host.name, 'node-role.kubernetes.io/infra='])
      const settled = async (): Promise<boolean> => {
        const wanted = (await kubectl.run(['get', 'mcp/infra', '-o', 'jsonpath={.spec.configuration.name}'])).trim()
        return (await annotation('currentConfig')) === wanted && (await annotation('state')) === 'Done'
      }
      await until(settled, 'the machine to be in pool infra', 120_000)
      const [bootId, before] = [await host.bootId(), await annotation('currentConfig')]
      const contents = '[Service]\nType=oneshot\nExecStart=/bin/sh -c "echo the disk is on fire; exit 1"\n'
      const files = [{ path: '/etc/mco-beside', mode: 0o644, contents: { source: 'data:,beside' } }]
      await applyObject({
        apiVersion: `${group}/v1`,
        kind: 'MachineConfig',
        metadata: { name: '99-infra-broken', labels: { [`${group}/role`]: 'infra' } },
        spec: {
          config: {
            ignition: { version: '3.5.0' },
            storage: { files },
            systemd: { units: [{ name: broken, contents }] },
          },
        },
      })
      await until(async () => (await annotation('state')) === 'Degraded', 'the node to say that it failed', 60_000)
      match(await annotation('reason'), /mco-broken\.service.*last log lines:.*the disk is on fire/)
      equal((await host.run('test', ['-e', '/etc/mco-beside'])).code, 1)
      equal((await host.run('test', ['-e', `/etc/systemd/system/${broken}`])).code, 1)
      equal(await annotation('currentConfig'), before)
      await kubectl.run(['delete', 'machineconfig/99-infra-broken'])
      await until(settled, 'the machine to be well again', 60_000)
      equal((await cluster.kube.get(Node, { name: host.name })).spec?.unschedulable ?? false, false)
      equal(await host.bootId(), bootId)
    },
    'it ends at once when its pod is stopped, and starts again after a kill': async () => {
      await host.must('systemctl', ['stop', daemonUnit], { timeoutMs: 20_000 })
      const last: { readonly msg: string } = JSON.parse((await logLines()).at(-1) ?? '')
      equal(last.msg, 'daemon stopped')
      await host.must('systemctl', ['start', daemonUnit])
      await until(async () => (await get('/healthz').catch(() => '')) === 'ok\n', 'the daemon to answer', 20_000)
      const killed = await pidOfDaemon()
      await host.must('kill', ['-9', String(killed)])
      await until(
        async () => {
          // One look: between two of them the killed container may go.
          const { code, stdout } = await host.run('crun', ['state', daemonUnit])
          return code === 0 && stdout.includes('running') && JSON.parse(stdout).pid !== killed
        },
        'another container',
        20_000,
      )
      await until(async () => (await get('/healthz').catch(() => '')) === 'ok\n', 'the daemon to answer', 20_000)
    },
  }
}
