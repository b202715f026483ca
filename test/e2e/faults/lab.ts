import assert from 'node:assert/strict'
import { KubeConfig } from '@kubernetes/client-node'
import type { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import type { ClusterStatus } from '../../../src/forecast/clusterStatus.ts'
import type { NodeStatusLine } from '../../../src/forecast/nodeStatusLine.ts'
import { type Kubectl, kubectlFor, mco, type RunningCluster, until, up } from '../harness.ts'
import { type History, recordHistory } from '../rolloutHistory.ts'

/** A cluster under attack, with the questions that every attack asks. */
export interface Lab extends Kubectl {
  readonly cluster: RunningCluster
  /** Every Node event from the start. */
  readonly history: History
  pool(name: string): Promise<MachineConfigPool>
  target(pool: string): Promise<string>
  annotation(node: string, key: string): Promise<string>
  /** What `mco status` says, for programs and for people. */
  status(): Promise<ClusterStatus>
  line(node: string): Promise<NodeStatusLine>
  /** Waits until `mco status` says it to people. */
  says(pattern: RegExp, timeoutMs?: number): Promise<void>
  apply(object: object): Promise<void>
  /** Makes a change and waits for the pool's next target. */
  retarget(pool: string, change: () => Promise<unknown>): Promise<string>
  /** Waits until the pool runs its target on every node, and nothing is degraded. */
  converged(...pools: string[]): Promise<void>
  /** Waits until the node gave up with such a reason. */
  degraded(node: string, reason: RegExp, timeoutMs?: number): Promise<void>
  done(node: string, timeoutMs?: number): Promise<void>
  bootId(node: string): Promise<string>
}

export type Checks = Readonly<Record<string, () => Promise<void>>>

const prefix = 'machineconfiguration.openshift.io/'

export async function startLab(pools: string): Promise<Lab> {
  const cluster = await up({ args: [...pools.split(' '), '--reboot-seconds', '0.2'] })
  const config = new KubeConfig()
  config.loadFromFile(cluster.kubeconfig)
  const kubectl = kubectlFor(cluster)
  const { run, json } = kubectl
  const pool = (name: string) => json<MachineConfigPool>(['get', 'mcp', name])
  const target = async (name: string) => (await pool(name)).spec.configuration?.name ?? ''
  const status = async (): Promise<ClusterStatus> =>
    JSON.parse((await mco(['status', '--kubeconfig', cluster.kubeconfig, '-o', 'json'])).stdout)
  const annotation = async (node: string, key: string) => {
    const object = await json<{ metadata: { annotations?: Record<string, string> } }>(['get', 'node', node])
    return object.metadata.annotations?.[`${prefix}${key}`] ?? ''
  }
  return {
    ...kubectl,
    cluster,
    history: await recordHistory(config),
    pool,
    target,
    annotation,
    status,
    async line(node) {
      const found = (await status()).nodes.find(({ name }) => name === node)
      assert.ok(found, `mco status shows node ${node}`)
      return found
    },
    async says(pattern, timeoutMs = 10_000) {
      let text = ''
      await until(
        async () => {
          text = (await mco(['status', '--kubeconfig', cluster.kubeconfig])).stdout
          return pattern.test(text)
        },
        `mco status to say ${pattern}`,
        timeoutMs,
      ).catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : String(error)}; it says:\n${text}`)
      })
    },
    async apply(object) {
      await run(['apply', '-f', '-'], { input: JSON.stringify(object) })
    },
    async retarget(name, change) {
      const before = await target(name)
      await change()
      await until(async () => (await target(name)) !== before, `a new target of pool ${name}`, 15_000)
      return target(name)
    },
    async converged(...names) {
      for (const name of names) {
        await until(async () => isConverged(await pool(name)), `pool ${name} to converge`, 45_000).catch(
          async (error: unknown) => {
            const { stdout } = await mco(['status', '--kubeconfig', cluster.kubeconfig])
            throw new Error(`${error instanceof Error ? error.message : String(error)}\n${stdout}`)
          },
        )
      }
    },
    async degraded(node, reason, timeoutMs = 5_000) {
      let found = ''
      await until(
        async () => {
          found = `${await annotation(node, 'state')}: ${await annotation(node, 'reason')}`
          return /^(Degraded|Unreconcilable): /.test(found) && reason.test(found)
        },
        `node ${node} to be degraded by ${reason}`,
        timeoutMs,
      ).catch((error: unknown) => {
        throw new Error(`${error instanceof Error ? error.message : String(error)}; it is ${found}`)
      })
    },
    async done(node, timeoutMs = 5_000) {
      await until(async () => (await annotation(node, 'state')) === 'Done', `node ${node} to be Done`, timeoutMs)
    },
    bootId: (node) => run(['get', 'node', node, '-o', 'jsonpath={.status.nodeInfo.bootID}']),
  }
}

function isConverged({ spec, status }: MachineConfigPool): boolean {
  const is = (type: string, value: string) =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === value) ?? false
  const isSettled = spec.configuration?.name === status?.configuration?.name && is('Updated', 'True')
  return isSettled && is('Degraded', 'False') && status?.updatedMachineCount === status?.machineCount
}

/** A MachineConfig that writes one file. */
export function fileConfig(name: string, role: string, file: Readonly<Record<string, unknown>>): object {
  return machineConfig(name, role, { storage: { files: [{ mode: 0o644, overwrite: true, ...file }] } })
}

export function machineConfig(name: string, role: string, ignition: object): object {
  return {
    apiVersion: `${prefix}v1`,
    kind: 'MachineConfig',
    metadata: { name, labels: { [`${prefix}role`]: role } },
    spec: { config: { ignition: { version: '3.5.0' }, ...ignition } },
  }
}

/** Such a change drains and reboots. */
export const motd = (text: string, role = 'worker'): object =>
  fileConfig(`90-${role}-motd`, role, { path: '/etc/motd', contents: { source: `data:,${text}%0A` } })

export function customPool(name: string): object {
  return {
    apiVersion: `${prefix}v1`,
    kind: 'MachineConfigPool',
    metadata: { name },
    spec: {
      machineConfigSelector: { matchExpressions: [{ key: `${prefix}role`, operator: 'In', values: ['worker', name] }] },
      nodeSelector: { matchLabels: { [`node-role.kubernetes.io/${name}`]: '' } },
    },
  }
}

/** What makes a node not Ready and stays: the kubelet does not take it back. */
export async function setDiskPressure({ json, result }: Lab, node: string, value: 'True' | 'False'): Promise<void> {
  await until(async () => {
    const object = await json<{ status: { conditions: { type: string; status: string }[] } }>(['get', 'node', node])
    for (const condition of object.status.conditions) if (condition.type === 'DiskPressure') condition.status = value
    const { code } = await result(['replace', '--raw', `/api/v1/nodes/${node}/status`, '-f', '-'], {
      input: JSON.stringify(object),
    })
    return code === 0
  }, `DiskPressure=${value} of ${node}`)
}
