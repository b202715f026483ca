import type { ControllerConfig } from '../api/controllerConfig.ts'
import { type BundlePolicies, readBundlePolicies } from '../certificates/bundles/bundleCatalogue.ts'
import type { BundleSpec } from '../certificates/bundles/bundleFields.ts'

/** What the ControllerConfig says about authorities, as daemons need it. */
export interface ClusterCertificates {
  readonly resourceVersion: string
  readonly spec: Partial<BundleSpec>
  readonly policies: BundlePolicies
}

export function certificatesOf(config: ControllerConfig | undefined): ClusterCertificates | undefined {
  if (!config) return undefined
  const { metadata, spec } = config
  return {
    resourceVersion: metadata.resourceVersion ?? '',
    spec: {
      kubeAPIServerServingCAData: spec.kubeAPIServerServingCAData,
      cloudProviderCAData: spec.cloudProviderCAData,
      imageRegistryBundleData: spec.imageRegistryBundleData ?? null,
      imageRegistryBundleUserData: spec.imageRegistryBundleUserData ?? null,
    },
    policies: readBundlePolicies(metadata.annotations),
  }
}

/** Everything of a ControllerConfig that daemons write by, as one comparable text. */
export function certificatesText(config: ControllerConfig | undefined): string {
  const { spec, policies } = certificatesOf(config) ?? {}
  return JSON.stringify([spec, policies])
}
