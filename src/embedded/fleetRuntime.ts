import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { informerClusterView } from '../daemon/clusterView.ts'
import { kubeConfigSource } from '../daemon/configSource.ts'
import { type DaemonMetrics, noDaemonMetrics } from '../daemon/daemonMetrics.ts'
import { type NodeDaemon, nodeDaemon } from '../daemon/nodeDaemon.ts'
import { type DirectoryHost, directoryHost } from '../host/directoryHost.ts'
import { kubeClient } from '../kube/client.ts'
import type { Controller } from '../kube/controller.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import { linkedAbort } from '../kube/linkedAbort.ts'
import { kubeletHeartbeats, kubeletPods } from './cluster/kubeletFleet.ts'
import { defaultPodTimings } from './cluster/podLifecycle.ts'
import { defaultKubeletTimings, SimulatedKubelet } from './cluster/simulatedKubelet.ts'
import type { FleetNode } from './fleet.ts'
import { inProcessTransport } from './inProcessTransport.ts'
import { installMachine } from './machineImage.ts'
import type { ControllerPorts } from './productControllers.ts'
import type { RunningApiServer } from './server/start.ts'

export interface FleetPorts extends ControllerPorts {
  readonly server: RunningApiServer
  readonly fleet: readonly FleetNode[]
  /** `DIR/NAME/root` is the disk of machine NAME. */
  readonly nodesDir: string
  readonly rebootMs: number
  readonly certificateDelivered?: DaemonMetrics['certificateDelivered']
  /** False leaves out fsync and drift watches: a simulation of thousands of machines. */
  readonly durable: boolean
}

export interface FleetRuntime {
  /** The kubelets' shared loops, run like any controller. */
  readonly controllers: readonly Controller[]
  /** Kubelets join and daemons work until the signal aborts; updates in progress are brought to their end. */
  run(): Promise<void>
}

/** A disk, a kubelet and a daemon for every planned machine. */
export async function createFleet(ports: FleetPorts, signal: AbortSignal): Promise<FleetRuntime> {
  const { kube, informers, clock, fleet } = ports
  const cluster = informerClusterView(informers)
  const configs = kubeConfigSource(kube)
  const machines = await Promise.all(
    // A signal for each: one that all machines wait on would make every wait walk a list as long as the fleet.
    fleet.map((node, index) => createMachine(node, index, ports, { cluster, configs }, linkedAbort(signal).signal)),
  )
  const kubelets = new Map(machines.map(({ kubelet }) => [kubelet.name, kubelet]))
  return {
    controllers: [
      kubeletPods({ informers, kube, clock, kubelets, timings: podTimings }),
      kubeletHeartbeats({ informers, kubelets }),
    ],
    async run() {
      await Promise.all(machines.map(runMachine))
    },
  }
}

const podTimings = { ...defaultPodTimings, startMs: 200, terminationCapMs: 500 }

interface Machine {
  readonly signal: AbortSignal
  readonly host: DirectoryHost
  readonly kubelet: SimulatedKubelet
  readonly daemon: NodeDaemon
}

type Shared = Pick<Parameters<typeof nodeDaemon>[0], 'cluster' | 'configs'>

async function createMachine(
  node: FleetNode,
  index: number,
  ports: FleetPorts,
  shared: Shared,
  signal: AbortSignal,
): Promise<Machine> {
  const { clock, random, log, nodesDir, durable, rebootMs, certificateDelivered } = ports
  const root = join(nodesDir, node.name, 'root')
  await mkdir(join(nodesDir, node.name), { recursive: true })
  await installMachine(root, node.name)
  const own = nodeClient(node.name, ports.server)
  const booted: { kubelet?: SimulatedKubelet } = {}
  const host = directoryHost(root, {
    durable,
    now: () => clock.now(),
    onReboot: async () => {
      await host.completeBoot()
      await booted.kubelet?.reboot({ bootId: await host.power.bootId() })
    },
  })
  const spec = {
    name: node.name,
    labels: node.labels,
    taints: node.taints,
    nodeInfo: nodeInfo(await host.power.bootId()),
  }
  const kubelet = new SimulatedKubelet(
    spec,
    index,
    { kube: own, clock, random, newId: randomUUID, signal },
    { ...defaultKubeletTimings, rebootMs },
  )
  booted.kubelet = kubelet
  const daemon = nodeDaemon({
    nodeName: node.name,
    kube: own,
    host,
    clock,
    random,
    log,
    events: ports.eventsOf('machineconfigdaemon'),
    ...shared,
    firstContact: 'join',
    watchDrift: durable,
    ...(certificateDelivered && { metrics: { ...noDaemonMetrics, certificateDelivered } }),
  })
  return { signal, host, kubelet, daemon }
}

async function runMachine({ signal, host, kubelet, daemon }: Machine): Promise<void> {
  try {
    await kubelet.join()
    await daemon.run(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    host.close()
  }
}

/** Each machine speaks as itself, so that the API server holds it to its own objects. */
function nodeClient(name: string, server: RunningApiServer): KubeApi {
  const identity = { name: `system:node:${name}`, groups: ['system:nodes', 'system:authenticated'] }
  return kubeClient(inProcessTransport(server.handle, { identity }), { userAgent: 'machine-config-daemon' })
}

const nodeInfo = (bootID: string) => ({
  bootID,
  machineID: '',
  systemUUID: '',
  kernelVersion: '6.1.0-mco-simulated',
  osImage: 'MCO simulated Linux 1',
  containerRuntimeVersion: 'cri-o://1.32.0',
  kubeletVersion: 'v1.32.0',
  kubeProxyVersion: 'v1.32.0',
  operatingSystem: 'linux',
  architecture: 'amd64',
})
