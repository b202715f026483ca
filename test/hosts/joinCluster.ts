import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import type { TestHost } from './testHost.ts'

/** What an installer would leave on a node: credentials, a kubelet and the daemon, started with every boot. */
export async function joinCluster(
  host: TestHost,
  address: string,
  cluster: SingleProcessCluster,
  { preload, driftMode = 'repair', restarts = true }: JoinOptions = {},
): Promise<void> {
  const identity = [`system:node:${host.name}`, ['system:nodes', 'system:authenticated']] as const
  await secret(host, 'kubelet.conf', cluster.server.adminKubeconfig)
  await secret(host, 'daemon.conf', await cluster.server.issueKubeconfig(...identity))
  const kubelet = ['/opt/mco-test/kubelet.mjs', host.name, address, '/etc/mco-test/kubelet.conf']
  const daemon = [
    ...(preload === undefined ? [] : ['--import', preload]),
    ...['/opt/mco/dist/mco.mjs', 'daemon', '--node-name', host.name, '--root-mount', '/'],
    ...['--kubeconfig', '/etc/mco-test/daemon.conf', '--drift-mode', driftMode],
    ...['--kubelet-healthz-endpoint', '""'],
  ]
  await service(host, 'mco-test-kubelet', kubelet)
  await service(host, 'mco-daemon', daemon, restarts)
}

interface JoinOptions {
  /** A module that Node loads before the daemon. */
  readonly preload?: string
  readonly driftMode?: string
  /** False: a daemon that ended is started again by the test only. */
  readonly restarts?: boolean
}

async function secret(host: TestHost, name: string, text: string): Promise<void> {
  await mkdir(join(host.root, 'etc/mco-test'), { recursive: true })
  await writeFile(join(host.root, 'etc/mco-test', name), text)
  await chmod(join(host.root, 'etc/mco-test', name), 0o600)
}

async function service(host: TestHost, name: string, args: readonly string[], restarts = true): Promise<void> {
  const units = join(host.root, 'etc/systemd/system')
  const lines = [
    '[Unit]',
    'After=network.target systemd-networkd.service',
    'StartLimitIntervalSec=0',
    '[Service]',
    `ExecStart=/usr/bin/node ${args.join(' ')}`,
    ...(restarts ? ['Restart=always', 'RestartSec=1'] : []),
    'TimeoutStopSec=30',
  ]
  await writeFile(join(units, `${name}.service`), `${lines.join('\n')}\n`)
  await mkdir(join(units, 'multi-user.target.wants'), { recursive: true })
  await symlink(`/etc/systemd/system/${name}.service`, join(units, 'multi-user.target.wants', `${name}.service`))
}
