import type { Issue } from '../ignition/issues.ts'
import { deepEqual } from '../schema/deepEqual.ts'
import type { UserInfo } from './authentication.ts'
import type { ClusterVersion, Infrastructure } from './config.ts'
import type { MachineConfig } from './machineConfig.ts'
import type { MachineConfigNode } from './machineConfigNode.ts'
import type { MachineConfigPool } from './machineConfigPool.ts'
import type { MachineConfiguration } from './machineConfiguration.ts'
import { authentication, machineConfigLabel, operatorNamespace, poolName, singletonName } from './names.ts'
import type { OSImageStream } from './osImageStream.ts'

/**
 * The admission policies of the install, as pure functions: the manifests in deploy say the same in CEL, the embedded API
 * server asks these. Messages are part of the API.
 */
export type AdmissionDecision =
  | { readonly allowed: true; readonly warnings: readonly string[] }
  | { readonly allowed: false; readonly policy: string; readonly message: string; readonly warnings: readonly string[] }

const allow = (warnings: readonly string[] = []): AdmissionDecision => ({ allowed: true, warnings })
const deny = (policy: string, message: string): AdmissionDecision => ({ allowed: false, policy, message, warnings: [] })

/** A new or changed pool; `stream` is the cluster's OSImageStream, if there is one. */
export function admitMachineConfigPool(pool: MachineConfigPool, stream: OSImageStream | undefined): AdmissionDecision {
  if (!selectsWorkerConfigs(pool)) {
    return deny(
      'custom-machine-config-pool-selector',
      `All custom MachineConfigPools must inherit from the worker pool and must have a machineConfigSelector that matches for a '${machineConfigLabel.role}: worker' label`,
    )
  }
  const wanted = pool.spec.osImageStream?.name
  const streams = stream?.status?.availableStreams ?? []
  if (wanted !== undefined && !streams.some(({ name }) => name === wanted)) {
    return deny(
      'machineconfigpool-osimagestream-reference-validation',
      'The specified osImageStream name must reference a valid stream from the cluster OSImageStream resource',
    )
  }
  return allow()
}

const builtInRoles: readonly string[] = Object.values(poolName)

function selectsWorkerConfigs({ spec }: MachineConfigPool): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec.machineConfigSelector ?? {}
  const role = matchLabels[machineConfigLabel.role]
  if (role !== undefined && builtInRoles.includes(role)) return true
  return matchExpressions.some(({ key, operator, values = [] }) => {
    if (key !== machineConfigLabel.role) return false
    const namesWorker = values.includes(poolName.worker)
    return operator === 'In' ? namesWorker : operator === 'NotIn' && !namesWorker
  })
}

const managedPlatforms: readonly string[] = ['GCP', 'AWS', 'VSphere', 'Azure']
const managedControlPlanePlatforms: readonly string[] = ['GCP', 'AWS', 'Azure']

/** A new or changed MachineConfiguration; `infrastructure` is the cluster's, absent outside OpenShift. */
export function admitMachineConfiguration(
  configuration: MachineConfiguration,
  infrastructure: Infrastructure | undefined,
): AdmissionDecision {
  if (configuration.metadata.name !== singletonName.machineConfiguration) {
    return deny(
      'machine-configuration-guards',
      'Only a single object of MachineConfiguration is allowed and it must be named cluster.',
    )
  }
  const { managedBootImages } = configuration.spec
  if (!managedBootImages) return allow()
  const platform = infrastructure?.status?.platformStatus?.type ?? infrastructure?.status?.platform ?? ''
  if (!managedPlatforms.includes(platform)) {
    return deny(
      'managed-bootimages-platform-check',
      `This feature is only supported on these platforms: ${managedPlatforms.join(', ')}`,
    )
  }
  const hasControlPlane = managedBootImages.machineManagers?.some(
    ({ resource }) => resource === 'controlplanemachinesets',
  )
  if (hasControlPlane && !managedControlPlanePlatforms.includes(platform)) {
    return deny(
      'managed-bootimages-cpms-platform-check',
      'The control plane machineset boot image update feature is only supported on these platforms: GCP, AWS, Azure',
    )
  }
  return allow()
}

/** A deleted OSImageStream: pools and the renderer depend on it for as long as the cluster lives. */
export function admitOSImageStreamDeletion(): AdmissionDecision {
  return deny('osimagestream-prevent-deletion', 'Deletion of OSImageStream resources is not allowed')
}

/** A deleted InternalReleaseImage, by the images in its status. */
export function admitInternalReleaseImageDeletion(
  releaseImages: readonly string[],
  clusterVersion: ClusterVersion | undefined,
): AdmissionDecision {
  const desired = digestOf(clusterVersion?.status?.desired?.image ?? '')
  if (desired === undefined || !releaseImages.some((image) => digestOf(image) === desired)) return allow()
  return deny(
    'internalreleaseimage-deletion-guard',
    'Cannot delete InternalReleaseImage while the cluster is using a release bundle from this resource.',
  )
}

const digestOf = (image: string): string | undefined => image.split('@')[1]

/** A daemon writes only the MachineConfigNode of its own node, proven by its token; other users are RBAC's business. */
export function admitMachineConfigNode(node: Pick<MachineConfigNode, 'metadata'>, user: UserInfo): AdmissionDecision {
  if (user.username !== authentication.daemonUser) return allow()
  const policy = 'mcn-guards'
  const claims = user.extra?.[authentication.nodeNameClaim] ?? []
  if (claims.length === 0) return deny(policy, `this user must have a "${authentication.nodeNameClaim}" claim`)
  const name = node.metadata.name ?? ''
  return claims.includes(name)
    ? allow()
    : deny(policy, `updates to MCN ${name} can only be done from the MCN's owner node`)
}

const ownNetworkPolicies: readonly string[] = [
  'default-deny',
  'allow-all-egress',
  'allow-machine-config-operator',
  'allow-machine-config-controller',
  'allow-machine-os-builder',
]

/** A changed or deleted NetworkPolicy: the operator's own belong to the operator. */
export function admitNetworkPolicyChange(
  operation: 'UPDATE' | 'DELETE',
  policy: { readonly namespace: string; readonly name: string },
  user: UserInfo,
): AdmissionDecision {
  const isOurs = policy.namespace === operatorNamespace && ownNetworkPolicies.includes(policy.name)
  if (!isOurs || user.username === authentication.operatorUser) return allow()
  return operation === 'UPDATE'
    ? deny('networkpolicy-prevent-update', 'Modification of MCO-managed NetworkPolicy resources is not allowed')
    : deny('networkpolicy-prevent-deletion', 'Deletion of MCO-managed NetworkPolicy resources is not allowed')
}

/** What the renderer thinks of one MachineConfig: the caller hands in the renderer's own answers. */
export interface MachineConfigVerdict {
  /** Why no pool that selects it could be rendered; absent when it renders. */
  readonly whyNotRendered?: string
  /** Everything wrong or suspicious, with paths in the object. */
  readonly issues: readonly Issue[]
}

/**
 * A new or changed MachineConfig. Refused, with every problem at once, exactly when it would break the render of a pool;
 * whatever else is suspicious becomes a warning, because the objects of existing clusters must stay writable. An update
 * that leaves the spec alone is never refused: labels and finalizers of a broken object can still be repaired.
 */
export function admitMachineConfig(
  config: MachineConfig,
  old: MachineConfig | undefined,
  verdictOf: (config: MachineConfig) => MachineConfigVerdict,
): AdmissionDecision {
  if (old && deepEqual(config.spec, old.spec)) return allow()
  const { whyNotRendered, issues } = verdictOf(config)
  const warnings = [...(isEmptySpec(config) ? [emptySpecWarning] : []), ...issues.map(issueText)]
  if (whyNotRendered === undefined) return allow(warnings)
  const errors = issues.filter(({ severity }) => severity === 'error').map(issueText)
  return {
    allowed: false,
    policy: 'machineconfig-renders',
    message: `this MachineConfig cannot be rendered: ${errors.length > 0 ? errors.join('; ') : whyNotRendered}`,
    warnings: issues.filter(({ severity }) => severity === 'warning').map(issueText),
  }
}

const emptySpecWarning =
  'spec is empty, so this MachineConfig changes nothing; if it should not be, check the indentation of the lines below spec'

function isEmptySpec({ spec = {} }: MachineConfig): boolean {
  return Object.values(spec).every((value) => value === null || value === '' || value === false || isEmptyList(value))
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const issueText = ({ path, message }: Issue): string => `${path.replace(/^\$\.?/, '') || 'object'}: ${message}`
