import { defineKind } from './kind.ts'
import type { Condition, KubernetesObject } from './meta.ts'
import type { TlsSecurityProfile } from './tlsSecurityProfile.ts'

/** The config.openshift.io kinds that are read (and ClusterOperator, which is written): only the members in use. */
const group = 'config.openshift.io'

export interface InfrastructureSpec {
  readonly cloudConfig?: { readonly name?: string; readonly key?: string }
  readonly platformSpec?: Readonly<Record<string, unknown>>
  readonly controlPlaneTopology?: string
}

export type ControlPlaneTopology =
  | ''
  | 'HighlyAvailable'
  | 'HighlyAvailableArbiter'
  | 'SingleReplica'
  | 'DualReplica'
  | 'External'

export interface OnPremPlatformStatus {
  readonly apiServerInternalIP?: string
  readonly apiServerInternalIPs?: readonly string[]
  readonly ingressIP?: string
  readonly ingressIPs?: readonly string[]
  readonly loadBalancer?: { readonly type?: 'OpenShiftManagedDefault' | 'UserManaged' }
  readonly machineNetworks?: readonly string[]
}

export interface CloudPlatformStatus {
  readonly cloudLoadBalancerConfig?: {
    readonly dnsType?: 'PlatformDefault' | 'ClusterHosted'
    readonly clusterHosted?: {
      readonly apiIntLoadBalancerIPs?: readonly string[]
      readonly apiLoadBalancerIPs?: readonly string[]
      readonly ingressLoadBalancerIPs?: readonly string[]
    }
  }
  readonly region?: string
}

export interface PlatformStatus {
  readonly type?: string
  readonly aws?: CloudPlatformStatus
  readonly azure?: CloudPlatformStatus & { readonly cloudName?: string }
  readonly gcp?: CloudPlatformStatus & { readonly projectID?: string }
  readonly baremetal?: OnPremPlatformStatus
  readonly openstack?: OnPremPlatformStatus & { readonly cloudName?: string }
  readonly vsphere?: OnPremPlatformStatus
  readonly nutanix?: OnPremPlatformStatus
  readonly ovirt?: OnPremPlatformStatus
  readonly external?: { readonly cloudControllerManager?: { readonly state?: '' | 'External' | 'None' } }
}

export interface InfrastructureStatus {
  readonly infrastructureName?: string
  readonly apiServerURL?: string
  readonly apiServerInternalURI?: string
  readonly etcdDiscoveryDomain?: string
  readonly controlPlaneTopology?: ControlPlaneTopology
  readonly infrastructureTopology?: string
  readonly cpuPartitioning?: 'None' | 'AllNodes'
  readonly platform?: string
  readonly platformStatus?: PlatformStatus
}

export interface Infrastructure extends KubernetesObject {
  readonly spec?: InfrastructureSpec
  readonly status?: InfrastructureStatus
}
export const Infrastructure = defineKind<Infrastructure>(group, 'v1', 'Infrastructure', 'infrastructures')

export interface Dns extends KubernetesObject {
  readonly spec?: {
    readonly baseDomain?: string
    readonly publicZone?: { readonly id?: string; readonly tags?: Readonly<Record<string, string>> }
    readonly privateZone?: { readonly id?: string; readonly tags?: Readonly<Record<string, string>> }
    readonly platform?: Readonly<Record<string, unknown>>
  }
  readonly status?: Readonly<Record<string, unknown>>
}
export const Dns = defineKind<Dns>(group, 'v1', 'DNS', 'dnses')

/** The cluster-wide proxy; status is what nodes get. */
export interface ProxySettings extends KubernetesObject {
  readonly spec?: {
    readonly httpProxy?: string
    readonly httpsProxy?: string
    readonly noProxy?: string
    readonly readinessEndpoints?: readonly string[]
    readonly trustedCA?: { readonly name?: string }
  }
  readonly status?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
}
export const ProxySettings = defineKind<ProxySettings>(group, 'v1', 'Proxy', 'proxies')

export interface Network extends KubernetesObject {
  readonly spec?: NetworkSettings
  readonly status?: NetworkSettings & {
    readonly clusterNetworkMTU?: number
    readonly migration?: {
      readonly networkType?: string
      readonly mtu?: {
        readonly network?: { readonly from?: number; readonly to?: number }
        readonly machine?: { readonly from?: number; readonly to?: number }
      }
    }
  }
}
export interface NetworkSettings {
  readonly clusterNetwork?: readonly { readonly cidr?: string; readonly hostPrefix?: number }[]
  readonly serviceNetwork?: readonly string[]
  readonly networkType?: string
}
export const Network = defineKind<Network>(group, 'v1', 'Network', 'networks')

export interface ClusterVersionHistoryEntry {
  readonly state: 'Completed' | 'Partial'
  readonly version: string
  readonly image: string
  readonly startedTime: string
  readonly completionTime: string | null
  readonly verified: boolean
}
export interface ClusterVersion extends KubernetesObject {
  readonly spec?: {
    readonly clusterID?: string
    readonly overrides?: readonly {
      readonly group?: string
      readonly kind?: string
      readonly namespace?: string
      readonly name?: string
      readonly unmanaged?: boolean
    }[]
  }
  readonly status?: {
    readonly desired?: { readonly version?: string; readonly image?: string }
    readonly history?: readonly ClusterVersionHistoryEntry[]
    readonly conditions?: readonly ClusterOperatorStatusCondition[]
    readonly observedGeneration?: number
    readonly versionHash?: string
  }
}
export const ClusterVersion = defineKind<ClusterVersion>(group, 'v1', 'ClusterVersion', 'clusterversions')

export interface ClusterOperatorStatusCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly lastTransitionTime: string
  readonly reason?: string
  readonly message?: string
}
export interface ClusterOperator extends KubernetesObject {
  readonly spec: Readonly<Record<string, never>>
  readonly status?: {
    readonly conditions?: readonly ClusterOperatorStatusCondition[]
    readonly versions?: readonly { readonly name: string; readonly version: string }[]
    readonly relatedObjects?: readonly {
      readonly group: string
      readonly resource: string
      readonly name: string
      readonly namespace?: string
    }[]
    readonly extension?: Readonly<Record<string, unknown>> | null
  }
}
export const ClusterOperator = defineKind<ClusterOperator>(group, 'v1', 'ClusterOperator', 'clusteroperators')

export interface FeatureGate extends KubernetesObject {
  readonly spec?: {
    readonly featureSet?: string
    readonly customNoUpgrade?: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] }
  }
  readonly status?: {
    readonly featureGates?: readonly {
      readonly version: string
      readonly enabled?: readonly { readonly name: string }[]
      readonly disabled?: readonly { readonly name: string }[]
    }[]
  }
}
export const FeatureGate = defineKind<FeatureGate>(group, 'v1', 'FeatureGate', 'featuregates')

export interface Image extends KubernetesObject {
  readonly spec?: {
    readonly registrySources?: {
      readonly insecureRegistries?: readonly string[]
      readonly blockedRegistries?: readonly string[]
      readonly allowedRegistries?: readonly string[]
      readonly containerRuntimeSearchRegistries?: readonly string[]
    }
    readonly additionalTrustedCA?: { readonly name?: string }
    readonly allowedRegistriesForImport?: readonly { readonly domainName?: string; readonly insecure?: boolean }[]
    readonly externalRegistryHostnames?: readonly string[]
  }
  readonly status?: { readonly internalRegistryHostname?: string }
}
export const Image = defineKind<Image>(group, 'v1', 'Image', 'images')

export interface ImageMirrors {
  readonly source: string
  readonly mirrors?: readonly string[]
  readonly mirrorSourcePolicy?: 'NeverContactSource' | 'AllowContactingSource'
}
export interface ImageDigestMirrorSet extends KubernetesObject {
  readonly spec: { readonly imageDigestMirrors?: readonly ImageMirrors[] }
}
export const ImageDigestMirrorSet = defineKind<ImageDigestMirrorSet>(
  group,
  'v1',
  'ImageDigestMirrorSet',
  'imagedigestmirrorsets',
)

export interface ImageTagMirrorSet extends KubernetesObject {
  readonly spec: { readonly imageTagMirrors?: readonly ImageMirrors[] }
}
export const ImageTagMirrorSet = defineKind<ImageTagMirrorSet>(group, 'v1', 'ImageTagMirrorSet', 'imagetagmirrorsets')

/** operator.openshift.io/v1alpha1, the predecessor of ImageDigestMirrorSet; only read. */
export interface ImageContentSourcePolicy extends KubernetesObject {
  readonly spec: {
    readonly repositoryDigestMirrors?: readonly { readonly source: string; readonly mirrors?: readonly string[] }[]
  }
}
export const ImageContentSourcePolicy = defineKind<ImageContentSourcePolicy>(
  'operator.openshift.io',
  'v1alpha1',
  'ImageContentSourcePolicy',
  'imagecontentsourcepolicies',
)

export interface ImageSignaturePolicy {
  readonly rootOfTrust: {
    readonly policyType: 'PublicKey' | 'FulcioCAWithRekor' | 'PKI'
    readonly publicKey?: Readonly<Record<string, unknown>>
    readonly fulcioCAWithRekor?: Readonly<Record<string, unknown>>
    readonly pki?: Readonly<Record<string, unknown>>
  }
  readonly signedIdentity?: Readonly<Record<string, unknown>> & { readonly matchPolicy: string }
}
export interface ClusterImagePolicy extends KubernetesObject {
  readonly spec: { readonly scopes: readonly string[]; readonly policy: ImageSignaturePolicy }
  readonly status?: { readonly conditions?: readonly Condition[] }
}
export const ClusterImagePolicy = defineKind<ClusterImagePolicy>(
  group,
  'v1',
  'ClusterImagePolicy',
  'clusterimagepolicies',
)
export interface ImagePolicy extends KubernetesObject {
  readonly spec: { readonly scopes: readonly string[]; readonly policy: ImageSignaturePolicy }
  readonly status?: { readonly conditions?: readonly Condition[] }
}
export const ImagePolicy = defineKind<ImagePolicy>(group, 'v1', 'ImagePolicy', 'imagepolicies', { namespaced: true })

/** nodes.config.openshift.io: cluster-wide kubelet choices. Not the core Node. */
export interface NodeSettings extends KubernetesObject {
  readonly spec?: {
    readonly cgroupMode?: '' | 'v1' | 'v2'
    readonly workerLatencyProfile?: '' | 'Default' | 'MediumUpdateAverageReaction' | 'LowUpdateSlowReaction'
    readonly minimumKubeletVersion?: string
  }
  readonly status?: { readonly conditions?: readonly Condition[] }
}
export const NodeSettings = defineKind<NodeSettings>(group, 'v1', 'Node', 'nodes')

export interface ApiServer extends KubernetesObject {
  readonly spec?: {
    readonly tlsSecurityProfile?: TlsSecurityProfile | null
    readonly clientCA?: { readonly name?: string }
    readonly servingCerts?: Readonly<Record<string, unknown>>
    readonly audit?: { readonly profile?: string }
    readonly tlsAdherence?: string
  }
}
export const ApiServer = defineKind<ApiServer>(group, 'v1', 'APIServer', 'apiservers')

export interface Scheduler extends KubernetesObject {
  readonly spec?: { readonly mastersSchedulable?: boolean; readonly defaultNodeSelector?: string }
}
export const Scheduler = defineKind<Scheduler>(group, 'v1', 'Scheduler', 'schedulers')
