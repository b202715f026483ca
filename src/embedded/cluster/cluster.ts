import { Pod } from '../../api/core.ts'
import type { Random } from '../../kube/backOff.ts'
import type { Clock } from '../../kube/clock.ts'
import type { Controller } from '../../kube/controller.ts'
import { startEventRecorder } from '../../kube/eventRecorder.ts'
import type { Informers } from '../../kube/informers.ts'
import type { KubeApi } from '../../kube/kubeApi.ts'
import { type Log, silentLog } from '../../kube/log.ts'
import { runController } from '../../kube/runController.ts'
import { daemonSetController } from './daemonSetController.ts'
import { deploymentController } from './deploymentController.ts'
import { disruptionController } from './disruptionController.ts'
import { jobController } from './jobController.ts'
import { kubeletHeartbeats, kubeletPods } from './kubeletFleet.ts'
import { nodeLifecycle } from './nodeLifecycle.ts'
import { defaultPodTimings, type PodTimings } from './podLifecycle.ts'
import { byController, controllerIndex } from './podOwners.ts'
import { replicaSetController } from './replicaSetController.ts'
import { scheduler } from './scheduler.ts'
import { defaultKubeletTimings, type KubeletSpec, type KubeletTimings, SimulatedKubelet } from './simulatedKubelet.ts'
import { statefulSetController } from './statefulSetController.ts'

export interface ClusterOptions {
  readonly kube: KubeApi
  /** Shared with whoever else watches in this process. */
  readonly informers: Informers
  readonly clock: Clock
  readonly random: Random
  readonly newId: () => string
  readonly machines: readonly KubeletSpec[]
  readonly podTimings?: PodTimings
  readonly kubeletTimings?: KubeletTimings
  /** Silence of a kubelet after which its node counts as lost. */
  readonly nodeGraceMs?: number
  readonly log?: Log
}

/** What surrounds an API server in a cluster: scheduler, workloads, budgets, nodes and their kubelets. */
export interface SimulatedCluster {
  readonly kubelets: ReadonlyMap<string, SimulatedKubelet>
  /** Resolves when every machine has registered its node. */
  readonly joined: Promise<void>
  /** Resolves when everything has ended, after the signal aborted. */
  readonly stopped: Promise<void>
}

export function startCluster(options: ClusterOptions, signal: AbortSignal): SimulatedCluster {
  const { kube, informers, clock, random, newId, machines, log = silentLog } = options
  const { podTimings: timings = defaultPodTimings, kubeletTimings = defaultKubeletTimings } = options
  const kubeletPorts = { kube, clock, random, newId, signal, log }
  const kubelets = new Map(
    machines.map((spec, index) => [spec.name, new SimulatedKubelet(spec, index + 1, kubeletPorts, kubeletTimings)]),
  )
  informers.addIndex(Pod, controllerIndex, byController)
  const events = startEventRecorder({ kube, clock, random, component: 'cluster', namespace: 'default', log })
  const ports = { informers, kube, clock, random, events }
  const controllers: readonly Controller[] = [
    scheduler(ports),
    deploymentController(ports),
    replicaSetController(ports),
    daemonSetController(ports),
    statefulSetController(ports),
    jobController(ports),
    disruptionController(ports),
    kubeletPods({ ...ports, kubelets, timings }),
    kubeletHeartbeats({ informers, kubelets }),
    nodeLifecycle({ ...ports, graceMs: options.nodeGraceMs ?? kubeletTimings.leaseDurationMs }),
  ]
  const running = controllers.map((controller) => runController(controller, { informers, clock, log }, signal))
  return {
    kubelets,
    joined: joinAll([...kubelets.values()]).catch((error: unknown) => {
      if (!signal.aborted) throw error
    }),
    stopped: Promise.all(running).then(() => events.close()),
  }
}

/** A few at a time: a thousand machines that register at once would only wait for each other. */
async function joinAll(kubelets: readonly SimulatedKubelet[]): Promise<void> {
  const waiting = [...kubelets]
  const join = async () => {
    for (let kubelet = waiting.shift(); kubelet; kubelet = waiting.shift()) await kubelet.join()
  }
  await Promise.all(Array.from({ length: 16 }, join))
}
