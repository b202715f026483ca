import type { ControllerConfig } from '../api/controllerConfig.ts'
import {
  type BundleName,
  type BundlePolicies,
  bundleCatalogue,
  bundleNames,
  kubeletCaPath,
  readBundlePolicies,
} from '../certificates/bundles/bundleCatalogue.ts'
import { type BundleSpec, bundlePaths, readBundleField } from '../certificates/bundles/bundleFields.ts'

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

/** A file that the daemon keeps at what the cluster says, whatever the node's config is. */
export interface DeliveredFile {
  readonly bundle: BundleName
  readonly text: string
}

/** Every delivered file by its path. A bundle that is empty takes nothing away. */
export function deliveredFiles({ spec, policies }: ClusterCertificates): ReadonlyMap<string, DeliveredFile> {
  const delivered = bundleNames.filter((bundle) => isDelivered(bundle, policies))
  return new Map(
    delivered.flatMap((bundle) =>
      [...bundlePaths(bundle, readBundleField(bundle, spec))].map(
        ([path, text]) => [path, { bundle, text: text.endsWith('\n') ? text : `${text}\n` }] as const,
      ),
    ),
  )
}

export const isDelivered = (bundle: BundleName, policies: BundlePolicies): boolean =>
  bundleCatalogue[bundle].allowed.includes('Deliver') && policies[bundle] === 'Deliver'

/**
 * Paths that a config does not write and that are no drift, because the daemon keeps them at what the cluster says. Without
 * a ControllerConfig it is the kubelets' bundle, which the original never writes with a config.
 */
export function deliveredPaths(certificates: ClusterCertificates | undefined): ReadonlySet<string> {
  if (!certificates) return new Set([kubeletCaPath])
  const files = deliveredFiles(certificates).keys()
  return new Set([...files, ...(isDelivered('kubeletClientCa', certificates.policies) ? [kubeletCaPath] : [])])
}
