import { type BootstrapAccess, kubeletKubeconfig } from './kubeletKubeconfig.ts'
import type { JoinFile } from './servedConfig.ts'

/** How a distribution's kubelet is told where to ask for its identity. */
export const joinFormats = ['kubeconfig', 'kubeadm', 'k3s', 'rke2'] as const
export type JoinFormat = (typeof joinFormats)[number]

/** The files that make a machine of that distribution join. */
export function joinFilesFor(format: JoinFormat, access: BootstrapAccess): readonly JoinFile[] {
  switch (format) {
    case 'kubeconfig':
      return [{ path: kubeletKubeconfigPath, text: kubeletKubeconfig(access) }]
    case 'kubeadm':
      return [
        { path: '/etc/kubernetes/bootstrap-kubelet.conf', text: kubeletKubeconfig(access) },
        { path: '/etc/kubernetes/pki/ca.crt', text: Buffer.from(access.caPem).toString('utf8') },
      ]
    case 'k3s':
    case 'rke2':
      return [{ path: `/etc/rancher/${format}/config.yaml`, text: agentConfig(access) }]
    default:
      return format satisfies never
  }
}

/** Where the kubelet of the original looks for its bootstrap kubeconfig. */
export const kubeletKubeconfigPath = '/etc/kubernetes/kubeconfig'

/** Quoted as JSON, which YAML reads as it is. The agent checks the server by the hash in the token. */
const agentConfig = ({ url, token }: BootstrapAccess): string =>
  `server: ${JSON.stringify(url)}\ntoken: ${JSON.stringify(token)}\n`
