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
