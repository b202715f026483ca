import { specYaml } from '../render/specYaml.ts'

/** How a new machine's kubelet reaches the API to ask for its certificate. */
export interface BootstrapAccess {
  readonly url: string
  readonly caPem: Uint8Array
  readonly token: string
}

/** The kubelet's bootstrap kubeconfig, in the exact text of the original. */
export function kubeletKubeconfig({ url, caPem, token }: BootstrapAccess): string {
  const written = specYaml({
    clusters: [
      {
        cluster: { 'certificate-authority-data': Buffer.from(caPem).toString('base64'), server: url },
        name: 'local',
      },
    ],
    contexts: [{ context: { cluster: 'local', user: 'kubelet' }, name: 'kubelet' }],
    'current-context': 'kubelet',
    users: [{ name: 'kubelet', user: { token } }],
  })
  if ('error' in written)
    throw new Error(`the bootstrap kubeconfig cannot be written: ${written.error} (at ${written.path})`)
  return written.yaml
}
