// Generated from src/api/crds/controllerconfigs.yaml by scripts/generate-types.ts. Do not edit.
import type { Dns, Infrastructure } from '../config.ts'
import type { ObjectReference } from '../meta.ts'

export interface ControllerConfigSpec {
  readonly clusterDNSIP: string
  readonly cloudProviderConfig: string
  /** Deprecated; infra.status.platformStatus.type counts. */
  readonly platform?: string
  /** Deprecated; infra.status.etcdDiscoveryDomain counts. */
  readonly etcdDiscoveryDomain?: string
  readonly kubeAPIServerServingCAData: string
  readonly rootCAData: string
  readonly cloudProviderCAData: string | null
  readonly additionalTrustBundle: string | null
  readonly imageRegistryBundleUserData?: readonly ImageRegistryBundle[] | null
  readonly imageRegistryBundleData?: readonly ImageRegistryBundle[] | null
  readonly pullSecret?: ObjectReference
  readonly internalRegistryPullSecret?: string | null
  /** Image references for the templates, by name. */
  readonly images: Readonly<Record<string, string>>
  readonly bgpVIPPeersJSON?: string
  /** The OS image of every pool that has no other. */
  readonly baseOSContainerImage: string
  readonly baseOSExtensionsContainerImage?: string
  /** The OS image in the older format. */
  readonly osImageURL?: string
  readonly releaseImage: string
  readonly proxy: {
    readonly httpProxy?: string
    readonly httpsProxy?: string
    readonly noProxy?: string
  } | null
  /** A copy of the cluster's Infrastructure object. */
  readonly infra: Infrastructure | null
  /** A copy of the cluster's DNS object. */
  readonly dns: Dns | null
  /** IPv4, IPv6, DualStack or DualStackIPv6Primary. */
  readonly ipFamilies: string
  readonly networkType?: string
  readonly network: {
    readonly mtuMigration: MtuMigration | null
  } | null
}

export interface ImageRegistryBundle {
  readonly data: string
  readonly file: string
}

export interface MtuMigration {
  readonly network?: {
    readonly from?: number
    readonly to?: number
  }
  readonly machine?: {
    readonly from?: number
    readonly to?: number
  }
}

export interface ControllerConfigStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly ControllerConfigCondition[]
  readonly controllerCertificates?: readonly ControllerCertificate[]
}

export interface ControllerConfigCondition {
  readonly lastTransitionTime: string | null
  readonly message?: string
  readonly reason?: string
  readonly status: string
  readonly type: string
}

export interface ControllerCertificate {
  readonly bundleFile: string
  readonly notAfter?: string | null
  readonly notBefore?: string | null
  readonly signer: string
  readonly subject: string
}
