import type { MachineConfiguration } from '../api/machineConfiguration.ts'
import { cloudCaBundlePath, kubeletCaPath, registryCaDirectory } from '../certificates/bundles/bundleCatalogue.ts'
import {
  type ClusterPolicies,
  defaultPolicies,
  mergePolicies,
  policyForPath,
  type UserPolicies,
} from './disruptionPolicies.ts'
import { parsePoolPolicies } from './poolPolicies.ts'
import { type ContainerRuntime, policiesForRuntime } from './runtimePolicies.ts'

/** On `MachineConfiguration/cluster`: `true` lets `*` and `**` in policy paths be globs. */
export const policyGlobsAnnotation = 'machineconfig.io/policy-globs'

/** On a pool: policies of its nodes over those of the cluster, in JSON, shaped as `spec.nodeDisruptionPolicy`. */
export const poolPoliciesAnnotation = 'machineconfig.io/node-disruption-policy'

export interface PolicySources {
  readonly settings: MachineConfiguration | undefined
  readonly poolName?: string
  readonly poolAnnotations?: Readonly<Record<string, string>> | undefined
  readonly runtime?: ContainerRuntime
}

export interface EffectivePolicies {
  readonly policies: ClusterPolicies
  /** The pool's policies cannot be read: a change must not start by rules that nobody wanted. */
  readonly problem?: string
}

/** The policies of a node: defaults, then the cluster's, then its pool's, in the words of its container runtime. */
export function effectivePolicies(sources: PolicySources): EffectivePolicies {
  const { settings, poolName = '', poolAnnotations = {}, runtime = 'cri-o' } = sources
  const cluster = clusterPolicies(settings)
  const globs = settings?.metadata?.annotations?.[policyGlobsAnnotation] === 'true'
  const complete = (policies: ClusterPolicies): ClusterPolicies => ({
    ...withCertificates(policiesForRuntime(policies, runtime), globs),
    ...(globs ? { globs } : {}),
  })
  const text = poolAnnotations[poolPoliciesAnnotation]
  if (text === undefined || text === '') return { policies: complete(cluster) }
  const own = parsePoolPolicies(text)
  if (own.kind === 'parsed') return { policies: complete(mergePolicies(own.policies, cluster)) }
  return {
    policies: complete(cluster),
    problem: `pool ${poolName}: annotation ${poolPoliciesAnnotation} is not usable: ${own.problem}; correct or remove it`,
  }
}

/**
 * Authorities that whoever uses them reads anew when they change. The original delivers them outside of configs and has no
 * policy; a held bundle comes with a config and must not reboot nodes either. What a user says about a path counts.
 */
function withCertificates(policies: ClusterPolicies, globs: boolean): ClusterPolicies {
  const silent = readAnew.filter((path) => !policyForPath(path, policies.files, { globs }))
  return {
    ...policies,
    files: [...policies.files, ...silent.map((path) => ({ path, actions: [{ type: 'None' as const }] }))],
  }
}

const readAnew = [kubeletCaPath, cloudCaBundlePath, registryCaDirectory]

/** The operator's merged list when it is up to date with the spec, else the same merge done here. */
function clusterPolicies(settings: MachineConfiguration | undefined): ClusterPolicies {
  const { spec, status, metadata } = settings ?? {}
  const merged = status?.nodeDisruptionPolicyStatus?.clusterPolicies
  const { nodeDisruptionPolicy } = spec ?? {}
  const current = merged && status?.observedGeneration === metadata?.generation ? merged : undefined
  // The schema of the kind has checked these lists; only optional members differ from our type.
  if (current) return { files: [], units: [], sshkey: { actions: [] }, ...current } as ClusterPolicies
  return nodeDisruptionPolicy ? mergePolicies(nodeDisruptionPolicy as UserPolicies) : defaultPolicies
}
