import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import { accountInside, containerBundle } from './containerBundle.ts'
import { serviceAccountFiles } from './daemonAccount.ts'
import type { TestHost } from './testHost.ts'

/** The daemon's unit on a node, and the name of its container there. */
export const daemonUnit = 'mco-daemon'
const runtime = '/usr/bin/crun'
const bundleInside = '/etc/mco-test/bundle'

/** On a node that has joined: its daemon is the container of a pod instead, and has no kubeconfig. */
export async function containDaemon(host: TestHost, { server }: SingleProcessCluster): Promise<void> {
  await rm(join(host.root, 'etc/mco-test/daemon.conf'))
  const args = ['daemon', '--root-mount', '/rootfs', '--drift-mode', 'repair', '--kubelet-healthz-endpoint', '']
  const { hostname, port } = new URL(server.url)
  const env = [`NODE_NAME=${host.name}`, `KUBERNETES_SERVICE_HOST=${hostname}`, `KUBERNETES_SERVICE_PORT=${port}`]
  await write(host, `${bundleInside}/config.json`, JSON.stringify(containerBundle({ args, env, account: true })))
  // Cgroups are the service's: those of a pod would be made by its kubelet.
  const run = `${runtime} --cgroup-manager=disabled run --no-new-keyring --bundle=${bundleInside} ${daemonUnit}`
  const lines = [
    '[Service]',
    'ExecStart=',
    // A container that was killed leaves its name behind; a kubelet would choose another.
    `ExecStartPre=-${runtime} delete --force ${daemonUnit}`,
    `ExecStart=${run}`,
    '',
  ]
  await write(host, `/etc/systemd/system/${daemonUnit}.service.d/container.conf`, lines.join('\n'))
}

/** What the kubelet of a running node does for the pod of its daemon; until then the container cannot start. */
export async function mountServiceAccount(host: TestHost, cluster: SingleProcessCluster): Promise<void> {
  for (const [name, text] of Object.entries(await serviceAccountFiles(cluster, host.name)))
    await write(host, `${accountInside}/${name}`, text)
}

async function write(host: TestHost, path: string, text: string): Promise<void> {
  const target = join(host.root, path)
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, text, { mode: 0o600 })
}
