import type { Controller } from '../kube/controller.ts'
import { daemonSetController } from './cluster/daemonSetController.ts'
import { deploymentController } from './cluster/deploymentController.ts'
import { disruptionController } from './cluster/disruptionController.ts'
import { jobController } from './cluster/jobController.ts'
import { nodeLifecycle } from './cluster/nodeLifecycle.ts'
import { replicaSetController } from './cluster/replicaSetController.ts'
import { scheduler } from './cluster/scheduler.ts'
import { statefulSetController } from './cluster/statefulSetController.ts'
import type { ControllerPorts } from './productControllers.ts'

/** What kube-controller-manager and kube-scheduler do on a real cluster. */
export function clusterControllers(ports: ControllerPorts): readonly Controller[] {
  return [
    scheduler({ ...ports, events: ports.eventsOf('default-scheduler') }),
    deploymentController(ports),
    replicaSetController(ports),
    daemonSetController(ports),
    statefulSetController(ports),
    jobController(ports),
    disruptionController(ports),
    nodeLifecycle({ ...ports, events: ports.eventsOf('node-controller') }),
  ]
}
