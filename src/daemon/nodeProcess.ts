import { ControllerConfig } from '../api/controllerConfig.ts'
import { Node } from '../api/core.ts'
import type { Kind } from '../api/kind.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { daemonEventSource } from '../api/names.ts'
import { type Host, HostError } from '../host/host.ts'
import type { Random } from '../kube/backOff.ts'
import type { Clock } from '../kube/clock.ts'
import { startEventRecorder } from '../kube/eventRecorder.ts'
import { createInformers } from '../kube/informers.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { informerClusterView } from './clusterView.ts'
import { kubeConfigSource } from './configSource.ts'
import { type DaemonMetrics, daemonMetricsPage } from './daemonMetrics.ts'
import { lockHost } from './hostLock.ts'
import { watchKubelet } from './kubeletHealth.ts'
import { watchLoop } from './loopHealth.ts'
import { type NodeDaemonOptions, nodeDaemon } from './nodeDaemon.ts'
import { startStatusServer } from './statusServer.ts'

export interface NodeProcessOptions
  extends Pick<NodeDaemonOptions, 'driftMode' | 'sshUser' | 'authorizedKeysFile' | 'firstContact'> {
  readonly nodeName: string
  readonly kube: KubeApi
  readonly host: Host
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Where `/healthz` and `/metrics` are answered. */
  readonly status: { readonly host: string; readonly port: number }
  /** Undefined: the kubelet is not asked. */
  readonly probeKubelet?: (signal: AbortSignal) => Promise<unknown>
}

/** The daemon of one node as a process of its own: alone on its host, sees its own Node only. Ends by the signal. */
export async function runNodeProcess(options: NodeProcessOptions, signal: AbortSignal): Promise<void> {
  const { nodeName, kube, host, clock, random, log, status, probeKubelet, ...rest } = options
  const release = await lockHost(host.files)
  const stop = new AbortController()
  const metrics = daemonMetricsPage()
  metrics.hostIs(await host.identity())
  const health = watchLoop(clock)
  const server = await startStatusServer({ ...status, fault: health.fault, metrics: metrics.render }).catch(
    async (error: unknown) => {
      await release()
      throw error
    },
  )
  const informers = createInformers({
    kube,
    clock,
    random,
    log,
    signal: stop.signal,
    scopeOf: (kind) => (isOwn(kind) ? { fieldSelector: `metadata.name=${nodeName}` } : undefined),
    isOptional: (kind) =>
      [MachineConfigNode.kind, MachineConfiguration.kind, ControllerConfig.kind].includes(kind.kind),
  })
  const events = startEventRecorder({ kube, clock, random, log, component: daemonEventSource, host: nodeName })
  const kubelet = probeKubelet
    ? watchKubelet({ clock, probe: probeKubelet, onFailures: metrics.kubelet }, stop.signal)
    : Promise.resolve()
  try {
    await countForeignPackages(options, metrics)
    const daemon = nodeDaemon({
      ...rest,
      nodeName,
      kube,
      host,
      clock,
      random,
      log,
      events,
      metrics,
      health,
      cluster: informerClusterView(informers),
      configs: kubeConfigSource(kube, { maxRemembered: 2 }),
    })
    log.info('daemon started', { node: nodeName, host: host.description, status: server.url })
    await daemon.run(signal)
    log.info('daemon stopped', { node: nodeName })
  } finally {
    stop.abort(new Error('the daemon has ended'))
    await Promise.all([events.close(eventsWaitMs), informers.stopped(), kubelet, server.close()])
    await release()
  }
}

/** They outlive updates of the image, and no config brings them back: somebody should know. */
async function countForeignPackages(
  { host, nodeName, log }: NodeProcessOptions,
  metrics: DaemonMetrics,
): Promise<void> {
  if (host.packages.kind === 'unsupported') return
  try {
    metrics.foreignPackages(nodeName, (await host.packages.use.foreign()).length)
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    log.warn('could not count packages that were layered by hand', { node: nodeName, error: error.message })
  }
}

const eventsWaitMs = 2_000

const isOwn = ({ kind }: Kind<KubernetesObject>): boolean => kind === Node.kind || kind === MachineConfigNode.kind
