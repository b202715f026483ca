import type { ClusterPolicies, PolicyAction } from './disruptionPolicies.ts'

export type ContainerRuntime = 'cri-o' | 'containerd'

/** `status.nodeInfo.containerRuntimeVersion` of a Node: `containerd://1.7.12`. What is not known counts as CRI-O. */
export const runtimeOf = (version: string | undefined): ContainerRuntime =>
  version?.startsWith('containerd://') ? 'containerd' : 'cri-o'

/** How each runtime takes up a new configuration. containerd cannot reload; a restart leaves its containers running. */
const runtimes: Readonly<Record<ContainerRuntime, { readonly service: string; readonly reloads: boolean }>> = {
  'cri-o': { service: 'crio.service', reloads: true },
  containerd: { service: 'containerd.service', reloads: false },
}

/** Policies are written for CRI-O, as in OpenShift; on a node with another runtime they mean that one. */
export function policiesForRuntime(policies: ClusterPolicies, runtime: ContainerRuntime): ClusterPolicies {
  if (runtime === 'cri-o') return policies
  const inItsWords = <T extends { readonly actions: readonly PolicyAction[] }>(policy: T): T => ({
    ...policy,
    actions: policy.actions.map((action) => actionFor(action, runtime)),
  })
  return {
    ...policies,
    files: policies.files.map(inItsWords),
    units: policies.units.map(inItsWords),
    sshkey: inItsWords(policies.sshkey),
  }
}

function actionFor(action: PolicyAction, runtime: ContainerRuntime): PolicyAction {
  const { service: written } = runtimes['cri-o']
  const { service, reloads } = runtimes[runtime]
  const named = action.reload?.serviceName ?? action.restart?.serviceName
  // What is special about registries.conf is how CRI-O reads it.
  if (action.type !== 'Special' && named !== written) return action
  return reloads && action.type !== 'Restart'
    ? { type: 'Reload', reload: { serviceName: service } }
    : { type: 'Restart', restart: { serviceName: service } }
}
