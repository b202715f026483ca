import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Node } from '../../src/api/core.ts'
import { MachineConfig } from '../../src/api/machineConfig.ts'
import { MachineConfigPool } from '../../src/api/machineConfigPool.ts'
import { MachineConfiguration } from '../../src/api/machineConfiguration.ts'
import { drainRequest, nodeAnnotation as key, nodeState } from '../../src/api/names.ts'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import { isNotFound } from '../../src/kube/kubeApi.ts'
import { type ConfigInput, machineConfig } from '../daemon/builders.ts'
import { until } from '../e2e/harness.ts'
import type { TestHost } from './testHost.ts'

/** A service that notes what it read when it was started. */
export const reader = { unit: 'mco-reader.service', reads: '/etc/mco-crash/changes' } as const
export const readerNote = '/root/mco-read'

const restart = { type: 'Restart', restart: { serviceName: reader.unit } }
const none = [{ type: 'None' }]
export const faulty = { unit: 'mco-faulty.service', directory: '/etc/mco-fault' } as const
/** Nothing of it asks for a reboot: each round would take a boot longer. */
const policy = {
  files: [
    { path: '/etc/mco-crash', actions: [{ type: 'Drain' }, restart] },
    { path: '/etc/mco-new', actions: none },
    { path: faulty.directory, actions: none },
    { path: '/etc/mco-reload', actions: [{ type: 'Reload', reload: { serviceName: faulty.unit } }] },
    { path: '/etc/motd', actions: none },
  ],
  units: [
    { name: reader.unit, actions: [{ type: 'DaemonReload' }, restart] },
    { name: faulty.unit, actions: [{ type: 'Restart', restart: { serviceName: faulty.unit } }] },
    { name: 'mco-second.service', actions: none },
    { name: 'chrony.service', actions: none },
  ],
  sshkey: { actions: none },
}

const readerUnit = (seconds: number) => ({
  name: reader.unit,
  enabled: true,
  contents: [
    '[Unit]',
    'StartLimitIntervalSec=0',
    '[Service]',
    `ExecStartPre=/bin/cp ${reader.reads} ${readerNote}`,
    `ExecStart=/bin/sleep ${seconds}`,
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n'),
})
const old: ConfigInput = {
  files: { [reader.reads]: 'old', '/etc/mco-crash/goes': 'old only', '/etc/motd': 'ours' },
  units: [readerUnit(1000), { name: 'chrony.service', mask: true }],
  keys: ['ssh-ed25519 AAAAold'],
}
const next: ConfigInput = {
  files: { [reader.reads]: { text: 'new', mode: 0o600 }, '/etc/mco-new/deep/file': 'new' },
  units: [readerUnit(2000), { name: 'mco-second.service', enabled: true, contents: readerUnit(3000).contents }],
  keys: ['ssh-ed25519 AAAAnew'],
}

/** One machine of a cluster whose pool is paused: its config is chosen by hand, through the annotation of its Node. */
export function clusterNode(cluster: SingleProcessCluster, host: TestHost) {
  const { kube } = cluster
  const at = { name: host.name }
  const daemon = 'mco-daemon.service'
  /** What each rendered config puts where the service reads. */
  const contents = new Map<string, string>()
  const node = () => kube.get(Node, at)
  const annotations = async () => (await node()).metadata.annotations ?? {}
  const target = async () => (await kube.get(MachineConfigPool, { name: 'worker' })).spec.configuration?.name ?? ''
  const isCordoned = async () => (await node()).spec?.unschedulable === true
  const isSettled = async (config: string): Promise<boolean> => {
    const { [key.currentConfig]: current, [key.state]: state, ...rest } = await annotations()
    const isBack = rest[key.lastAppliedDrain] === `${drainRequest.uncordonPrefix}${config}`
    return current === config && state === nodeState.done && isBack && !(await isCordoned())
  }
  const text = (path: string): string => readFileSync(join(host.root, path), 'utf8')
  const render = async (name: string, input: ConfigInput): Promise<string> => {
    const before = await target()
    const { spec } = machineConfig(input)
    const body = {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfig',
      metadata: { name, labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
      spec,
    }
    await kube.patch(MachineConfig, { name }, { type: 'apply', body, force: true }, { fieldManager: 'test' })
    await until(async () => (await target()) !== before, `${name} to be rendered`, 30_000)
    return target()
  }
  const pause = async (paused: boolean): Promise<void> => {
    await kube.patch(MachineConfigPool, { name: 'worker' }, { type: 'merge', body: { spec: { paused } } })
  }
  const told = async (): Promise<{ readonly state: string; readonly reason: string }> => {
    const { [key.state]: state = '', [key.reason]: reason = '' } = await annotations()
    return { state, reason }
  }
  return {
    isCordoned,
    isSettled,
    text,
    render,
    annotations,
    async desire(config: string): Promise<void> {
      const body = { metadata: { annotations: { [key.desiredConfig]: config } } }
      await kube.patch(Node, at, { type: 'merge', body })
    },
    settled: (config: string) =>
      until(() => isSettled(config), `${host.name} to be Done at ${config}, uncordoned`, 60_000),
    async isRunning(): Promise<boolean> {
      const { stdout } = await host.run('systemctl', ['is-active', daemon])
      return ['active', 'deactivating'].includes(stdout.trim())
    },
    /** From now on the service manager starts a daemon that ended again. */
    async keepRunning(): Promise<void> {
      const directory = join(host.root, `etc/systemd/system/${daemon}.d`)
      await mkdir(directory, { recursive: true })
      await writeFile(join(directory, 'restart.conf'), '[Service]\nRestart=always\nRestartSec=200ms\n')
      await host.must('systemctl', ['daemon-reload'])
    },
    async stop(): Promise<void> {
      await host.must('systemctl', ['stop', daemon])
    },
    async start(): Promise<void> {
      await host.must('systemctl', ['start', daemon])
    },
    /** Joins the pool, pauses it, and answers the names of two rendered configs; the machine is at the first. */
    async twoConfigs(): Promise<readonly [string, string]> {
      const spec = { nodeDisruptionPolicy: policy }
      await kube.patch(MachineConfiguration, { name: 'cluster' }, { type: 'merge', body: { spec } })
      await until(async () => (await kube.get(Node, at).catch(missing)) !== undefined, 'the Node', 30_000)
      await pause(false)
      const first = await render('70-worker-crash', old)
      await until(() => isSettled(first), 'the first config', 120_000)
      await pause(true)
      const second = await render('70-worker-crash', next)
      contents.set(first, 'old').set(second, 'new')
      return [first, second]
    },
    /** A dead daemon: the machine is cordoned while it is between two configs, and every file is whole. */
    async problemsWhileDead(isOpen: boolean): Promise<string[]> {
      const problems: string[] = []
      if (isOpen && !(await isCordoned())) problems.push('between two configs and not cordoned')
      const content = text(reader.reads)
      if (!['old', 'new'].includes(content)) problems.push(`${reader.reads} is half written: ${content.length} bytes`)
      const record: string = JSON.parse(text('/etc/machine-config-daemon/currentconfig')).metadata.name
      if (!contents.has(record)) problems.push(`currentconfig names ${record}`)
      if (!isOpen && content !== contents.get(record))
        problems.push(`no journal is open, and ${reader.reads} is not what ${record} says`)
      return problems
    },
    /** What the last start found: from the log of this run of the service. */
    async whatItDid(): Promise<string> {
      const invocation = (await host.must('systemctl', ['show', '--property=InvocationID', '--value', daemon])).trim()
      const args = ['--no-pager', '--output=cat', `_SYSTEMD_INVOCATION_ID=${invocation}`]
      const log = await host.must('journalctl', args)
      if (log.includes('an interrupted update was undone')) return 'undone'
      if (log.includes('node update started')) return 'began anew'
      return log.includes('Performing post config change action') ? 'finished' : 'ended it'
    },
    /** How often an update began, and how often its Node was written: both rest while nothing is tried. */
    async activity(): Promise<string> {
      const log = await host.must('journalctl', ['--no-pager', '--output=cat', `--unit=${daemon}`])
      const { state, reason } = await told()
      return JSON.stringify([
        log.split('"node update started"').length,
        log.split('"node sync failed"').length,
        state,
        reason,
      ])
    },
    told,
    async explain(): Promise<string> {
      const { stdout } = await host.run('journalctl', ['--no-pager', '--lines=15', '--output=cat', `--unit=${daemon}`])
      return `annotations ${JSON.stringify(await annotations())}\n${stdout}`
    },
  }
}

function missing(error: unknown): undefined {
  if (isNotFound(error)) return undefined
  throw error
}
