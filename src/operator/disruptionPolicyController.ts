import { MachineConfiguration, type MachineConfigurationStatus } from '../api/machineConfiguration.ts'
import { singletonName } from '../api/names.ts'
import { mergePolicies } from '../forecast/disruptionPolicies.ts'
import { equalValue } from '../ignition/equalValue.ts'
import { type Cache, type Controller, own, settled } from '../kube/controller.ts'
import type { KubeApi } from '../kube/kubeApi.ts'

/**
 * Publishes the node disruption policies in force: the user's (`spec.nodeDisruptionPolicy`) over the defaults, in
 * `status.nodeDisruptionPolicyStatus` of `MachineConfiguration/cluster`. Daemons act by this status, and only once its
 * observedGeneration is current.
 */
export function disruptionPolicyController({
  cache,
  kube,
}: {
  readonly cache: Cache
  readonly kube: KubeApi
}): Controller {
  return {
    name: 'disruption-policy',
    watches: [own(MachineConfiguration)],
    async reconcile(name, signal) {
      if (name !== singletonName.machineConfiguration) return settled
      const configuration = cache.get(MachineConfiguration, { name })
      if (!configuration) return settled
      const status = statusOf(configuration)
      if (equalValue(status, configuration.status)) return settled
      await kube.updateStatus(
        MachineConfiguration,
        { ...configuration, status },
        { signal, fieldManager: 'disruption-policy' },
      )
      return settled
    },
  }
}

function statusOf(configuration: MachineConfiguration): MachineConfigurationStatus {
  return {
    ...configuration.status,
    observedGeneration: configuration.metadata.generation ?? 0,
    nodeDisruptionPolicyStatus: { clusterPolicies: mergePolicies(configuration.spec.nodeDisruptionPolicy ?? {}) },
  }
}
