import { cloudCaBundlePath, kubeletCaPath } from '../certificates/bundles/bundleCatalogue.ts'
import { encodePercentDataUrl } from '../ignition/dataUrl.ts'
import type { File, IgnitionConfig } from '../ignition/types.ts'

/** Bundles of the cluster's ControllerConfig, base64. */
export interface ClusterBundles {
  readonly kubeAPIServerServingCAData?: string | null
  readonly cloudProviderCAData?: string | null
}

/** A paused pool's config may hold certificates that have expired since: a machine that joins gets the present ones. */
export function refreshCertificates(config: IgnitionConfig, bundles: ClusterBundles): IgnitionConfig {
  const withKubeletCa = withContent(config, kubeletCaPath, bundles.kubeAPIServerServingCAData)
  return withContent(withKubeletCa, cloudCaBundlePath, bundles.cloudProviderCAData)
}

/** A file that is there keeps everything but its content, so it also stays what it is for the daemon's comparison. */
function withContent(config: IgnitionConfig, path: string, base64: string | null | undefined): IgnitionConfig {
  if (!base64) return config
  const source = encodePercentDataUrl(Buffer.from(base64, 'base64'))
  const files = config.storage?.files ?? []
  const known = files.some((file) => file.path === path)
  const added: File = { overwrite: true, path, contents: { source }, mode: 0o644 }
  const replaced = (file: File): File =>
    file.path === path ? { ...file, contents: { ...file.contents, source } } : file
  return { ...config, storage: { ...config.storage, files: known ? files.map(replaced) : [...files, added] } }
}
