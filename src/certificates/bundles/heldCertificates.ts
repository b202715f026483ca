import type { MachineConfig } from '../../api/machineConfig.ts'
import { machineConfigAnnotation, machineConfigLabel } from '../../api/names.ts'
import { encodeBase64DataUrl } from '../../ignition/dataUrl.ts'
import { type BundlePolicies, bundleCatalogue, bundleNames } from './bundleCatalogue.ts'
import { type BundleSpec, bundlePaths, readBundleField } from './bundleFields.ts'

/** After the base config of a role, before everything that a user writes. */
export const heldCertificatesName = (role: string): string => `01-${role}-certificates`

/**
 * The MachineConfig by which held bundles reach the nodes of a role: in their rendered config, so that they wait behind a
 * pause like everything else. Undefined when no bundle is held.
 */
export function heldCertificates(
  role: string,
  spec: Partial<BundleSpec>,
  policies: BundlePolicies,
  hash: string,
): MachineConfig | undefined {
  const held = bundleNames.filter((name) => bundleCatalogue[name].allowed.includes('Hold') && policies[name] === 'Hold')
  const paths = new Map(held.flatMap((name) => [...bundlePaths(name, readBundleField(name, spec))]))
  if (paths.size === 0) return undefined
  const files = [...paths]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({
      path,
      mode: 0o644,
      overwrite: true,
      contents: { source: encodeBase64DataUrl(Buffer.from(text, 'latin1')) },
    }))
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: {
      name: heldCertificatesName(role),
      labels: { [machineConfigLabel.role]: role },
      annotations: { [machineConfigAnnotation.generatedByControllerVersion]: hash },
    },
    spec: { config: { ignition: { version: '3.5.0' }, storage: { files } } },
  }
}
