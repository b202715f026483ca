import type { KeyPair } from '../../certificates/issueCertificate.ts'
import { formatYaml } from './yamlBody.ts'

/** How a kubeconfig proves who it is. */
type Credential =
  | { readonly kind: 'certificate'; readonly pair: KeyPair }
  | { readonly kind: 'token'; readonly token: string }

export interface KubeconfigInput {
  readonly url: string
  readonly caPem: string
  readonly user: string
  readonly credential: Credential
  /** Name of cluster and context. */
  readonly cluster?: string
  readonly namespace?: string
}

/** A kubeconfig with everything inline, so that it can be copied anywhere. */
export function formatKubeconfig({
  url,
  caPem,
  user,
  credential,
  cluster = 'mco',
  namespace,
}: KubeconfigInput): string {
  const context = `${user}@${cluster}`
  return formatYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: cluster, cluster: { server: url, 'certificate-authority-data': base64(caPem) } }],
    users: [{ name: user, user: userOf(credential) }],
    contexts: [{ name: context, context: { cluster, user, ...(namespace ? { namespace } : {}) } }],
    'current-context': context,
    preferences: {},
  })
}

function userOf(credential: Credential): Readonly<Record<string, string>> {
  if (credential.kind === 'token') return { token: credential.token }
  const { certificatePem, keyPem } = credential.pair
  return { 'client-certificate-data': base64(certificatePem), 'client-key-data': base64(keyPem) }
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
