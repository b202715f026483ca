import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { CertExpiry } from '../api/machineConfigPool.ts'

/** The bundle whose expiry every pool shows: without it kubelets stop trusting the API server's requests. */
const shownBundle = 'KubeAPIServerServingCAData'

export function certificatesOf(controllerConfig: ControllerConfig | undefined): readonly CertExpiry[] {
  return (controllerConfig?.status?.controllerCertificates ?? [])
    .filter(({ bundleFile }) => bundleFile === shownBundle)
    .map(({ bundleFile, subject, notAfter }) => ({ bundle: bundleFile, subject, expiry: notAfter ?? null }))
}
