import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { planFleet } from '../../src/embedded/fleet.ts'
import { type SingleProcessCluster, startSingleProcess } from '../../src/embedded/singleProcess.ts'
import { systemClock } from '../../src/kube/clock.ts'
import { silentLog } from '../../src/kube/log.ts'
import type { Kubectl } from '../e2e/harness.ts'
import { type SeparateServer, secretsBy, serverFolder, startServer } from '../join/joinCluster.ts'
import { hostAddress } from './machine.ts'

/** A control plane that machines in QEMU's user network can call by the address they see. */
export async function startControlPlane(dataDir: string): Promise<SingleProcessCluster> {
  const plan = planFleet(new Map([['master', 1]]))
  if (plan.kind === 'refused') throw new Error(plan.reason)
  return startSingleProcess({
    dataDir,
    port: 0,
    names: [hostAddress],
    configServer: { port: 0 },
    fleet: plan.nodes,
    customPools: ['infra'],
    build: { version: 'test', hash: createHash('sha1').update('test').digest('hex') },
    clock: systemClock,
    random: Math.random,
    log: silentLog,
  })
}

/** `mco server start` as on an installed cluster; those who join get a service account's token from it. */
export async function startConfigServer(
  directory: string,
  cluster: SingleProcessCluster,
  kubectl: Kubectl,
  port: number,
): Promise<SeparateServer> {
  const folder = await serverFolder(directory, secretsBy(kubectl))
  await kubectl.run(['-n', 'default', 'create', 'serviceaccount', 'joiner'])
  const account = '--serviceaccount=default:joiner'
  await kubectl.run(['create', 'clusterrolebinding', 'joiner', '--clusterrole=cluster-admin', account])
  const path = '/api/v1/namespaces/default/serviceaccounts/joiner/token'
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } }
  const answer = await kubectl.run(['create', '--raw', path, '-f', '-'], { input: JSON.stringify(request) })
  const { status }: { status: { token: string } } = JSON.parse(answer)
  await writeFile(join(folder, 'credentials', 'token'), status.token)
  await writeFile(join(folder, 'credentials', 'ca.crt'), cluster.server.caPem)
  const { port: apiPort } = new URL(cluster.url)
  return startServer(
    folder,
    { kubeconfig: cluster.kubeconfigPath },
    { port, access: 'token', args: ['--apiserver-url', `https://${hostAddress}:${apiPort}`] },
  )
}

/** What turns the image into a node is not on it: its units come with the config of its pool. */
export async function nodeUnits(): Promise<object> {
  const firstBoot = await readFile('examples/systemd/mco-firstboot.service', 'utf8')
  // As the config server sees it, behind the address translation of QEMU's user network.
  const address = '127.0.0.1'
  const kubelet = `/opt/mco/node /opt/mco/inside/kubelet.mjs %H ${address} /etc/kubernetes/kubeconfig $ROLE`
  const daemon =
    '/usr/local/bin/mco daemon --node-name %H --root-mount / --kubeconfig /etc/kubernetes/kubeconfig --kubelet-healthz-endpoint ""'
  return machineConfig('80-worker-node', 'worker', {
    config: {
      ignition: { version: '3.5.0' },
      systemd: {
        units: [
          { name: 'mco-firstboot.service', enabled: true, contents: firstBoot },
          {
            name: 'kubelet.service',
            enabled: true,
            contents: service(kubelet, 'EnvironmentFile=-/etc/default/role\n'),
          },
          { name: 'mco-daemon.service', enabled: true, contents: service(daemon) },
        ],
      },
    },
  })
}

const service = (command: string, more = ''): string =>
  `[Unit]
Wants=network-online.target
After=network-online.target mco-firstboot.service
StartLimitIntervalSec=0
[Service]
${more}ExecStart=${command}
# What runs for the daemon ends with its work, not before it.
KillMode=mixed
Restart=always
RestartSec=2
[Install]
WantedBy=multi-user.target
`

export const machineConfig = (name: string, role: string, spec: object): object => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfig',
  metadata: { name, labels: { 'machineconfiguration.openshift.io/role': role } },
  spec,
})
