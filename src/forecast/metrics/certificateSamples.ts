import type { ControllerConfig } from '../../api/controllerConfig.ts'
import { type ClusterSample, sample, unixSeconds } from './clusterFamilies.ts'

/** When the first certificate of each bundle ends. Several may overlap in a rotation: the first to end is the one to watch. */
export function certificateSamples(config: ControllerConfig | undefined): readonly ClusterSample[] {
  const first = new Map<string, number>()
  for (const { bundleFile, notAfter } of config?.status?.controllerCertificates ?? []) {
    const end = unixSeconds(notAfter)
    if (end !== undefined) first.set(bundleFile, Math.min(end, first.get(bundleFile) ?? end))
  }
  return [...first]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([bundle, end]) => sample('mco_certificate_not_after_timestamp_seconds', { bundle }, end))
}
