import type { Dns, Infrastructure } from './config.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject, ObjectReference } from './meta.ts'

export interface ImageRegistryBundle {
  readonly file: string
  /** Base64. */
  readonly data: string
}

/** Members of type "bytes" are base64 text. */
export interface ControllerConfigSpec {
  readonly clusterDNSIP: string
  readonly cloudProviderConfig: string
  readonly platform?: string
  readonly etcdDiscoveryDomain?: string
  readonly kubeAPIServerServingCAData: string
  readonly rootCAData: string
  readonly cloudProviderCAData: string | null
  readonly additionalTrustBundle: string | null
  readonly imageRegistryBundleUserData?: readonly ImageRegistryBundle[] | null
  readonly imageRegistryBundleData?: readonly ImageRegistryBundle[] | null
  readonly pullSecret?: ObjectReference
  readonly internalRegistryPullSecret?: string | null
  readonly images: Readonly<Record<string, string>>
  readonly bgpVIPPeersJSON?: string
  readonly baseOSContainerImage: string
  readonly baseOSExtensionsContainerImage?: string
  readonly osImageURL?: string
  readonly releaseImage: string
  readonly proxy: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string } | null
  readonly infra: Infrastructure | null
  readonly dns: Dns | null
  readonly ipFamilies: string
  readonly networkType?: string
  readonly network: { readonly mtuMigration: MtuMigration | null } | null
}

export interface MtuMigration {
  readonly network?: { readonly from?: number; readonly to?: number }
  readonly machine?: { readonly from?: number; readonly to?: number }
}

export interface ControllerConfigCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string | null
  readonly reason?: string
  readonly message?: string
}

export interface ControllerCertificate {
  readonly subject: string
  readonly signer: string
  readonly bundleFile: string
  readonly notBefore?: string | null
  readonly notAfter?: string | null
}

export interface ControllerConfigStatus {
  readonly observedGeneration?: number
  readonly conditions?: readonly ControllerConfigCondition[]
  readonly controllerCertificates?: readonly ControllerCertificate[]
}

/** The cluster's facts as the templates and the renderer need them; the operator writes the one object of this kind. */
export interface ControllerConfig extends KubernetesObject {
  readonly spec: ControllerConfigSpec
  readonly status?: ControllerConfigStatus
}
export const ControllerConfig = defineKind<ControllerConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'ControllerConfig',
  'controllerconfigs',
)
