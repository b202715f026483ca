import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { kubeletHeartbeats, kubeletPods } from '../../../src/embedded/cluster/kubeletFleet.ts'
import { defaultPodTimings } from '../../../src/embedded/cluster/podLifecycle.ts'
import { defaultKubeletTimings, SimulatedKubelet } from '../../../src/embedded/cluster/simulatedKubelet.ts'
import { kubeClient } from '../../../src/kube/client.ts'
import { systemClock } from '../../../src/kube/clock.ts'
import { clusterConnection } from '../../../src/kube/clusterConnection.ts'
import { httpTransport } from '../../../src/kube/httpTransport.ts'
import { createInformers } from '../../../src/kube/informers.ts'
import { silentLog } from '../../../src/kube/log.ts'
import { runController } from '../../../src/kube/runController.ts'

/** Plays the kubelet of the machine that it runs on, with its real boot id: `kubelet NAME ADDRESS KUBECONFIG [ROLE]`. */
const [name = '', address = '', kubeconfig = '', role] = process.argv.slice(2)
const bootID = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
const { signal } = new AbortController()
const kube = kubeClient(httpTransport(await clusterConnection({ kubeconfig, env: {} })), { userAgent: 'kubelet' })
const ports = { kube, clock: systemClock, random: Math.random, signal, log: silentLog }
const kubelet = new SimulatedKubelet(
  {
    name,
    address,
    labels: {
      'node-role.kubernetes.io/worker': '',
      ...(role !== undefined && { [`node-role.kubernetes.io/${role}`]: '' }),
    },
    nodeInfo: {
      bootID,
      machineID: '',
      systemUUID: '',
      kernelVersion: '6.1.0-test',
      osImage: 'Debian GNU/Linux 12 (bookworm)',
      containerRuntimeVersion: 'none://0',
      kubeletVersion: 'v1.32.0',
      kubeProxyVersion: 'v1.32.0',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  },
  0,
  { ...ports, newId: () => bootID },
  defaultKubeletTimings,
)
await kubelet.join()
const informers = createInformers(ports)
const kubelets = new Map([[name, kubelet]])
const controllers = [
  kubeletPods({ informers, kube, clock: systemClock, kubelets, timings: defaultPodTimings }),
  kubeletHeartbeats({ informers, kubelets }),
]
await Promise.all(controllers.map((controller) => runController(controller, { ...ports, informers }, signal)))
