import type { Random } from '../../kube/backOff.ts'
import type { Clock } from '../../kube/clock.ts'
import type { Informers } from '../../kube/informers.ts'
import type { KubeApi } from '../../kube/kubeApi.ts'

/** What every workload controller works with. */
export interface WorkloadPorts {
  readonly informers: Informers
  readonly kube: KubeApi
  readonly clock: Clock
  readonly random: Random
}

/** Each look at a workload walks over all its pods: a burst of their changes must be one look, or it costs their square. */
export const workloadCoalesceMs = 20
