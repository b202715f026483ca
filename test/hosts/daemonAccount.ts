import { operatorNamespace } from '../../src/api/names.ts'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import { kubectlFor, until } from '../e2e/harness.ts'

const name = 'machine-config-daemon'
const metadata = { name, namespace: operatorNamespace }
const roleGroup = 'rbac.authorization.k8s.io'

/** The rights that the daemon needs, and no others. */
const rules = [
  { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch', 'patch'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
  {
    apiGroups: ['machineconfiguration.openshift.io'],
    resources: ['machineconfigs', 'machineconfigpools', 'controllerconfigs'],
    verbs: ['get', 'list', 'watch'],
  },
  {
    apiGroups: ['machineconfiguration.openshift.io'],
    resources: ['machineconfignodes', 'machineconfignodes/status'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'],
  },
  { apiGroups: ['operator.openshift.io'], resources: ['machineconfigurations'], verbs: ['get', 'list', 'watch'] },
]

const objects = (nodeName: string): readonly object[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
  { apiVersion: `${roleGroup}/v1`, kind: 'ClusterRole', metadata: { name }, rules },
  {
    apiVersion: `${roleGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: roleGroup, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata,
    spec: {
      selector: { matchLabels: { 'k8s-app': name } },
      template: {
        metadata: { labels: { 'k8s-app': name } },
        spec: {
          serviceAccountName: name,
          nodeSelector: { 'kubernetes.io/hostname': nodeName },
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name, image: 'example.com/mco:1' }],
        },
      },
    },
  },
]

/**
 * The files that a kubelet mounts for the daemon's pod on this node, as soon as there is one: the token is bound to the
 * pod, which is how the API server knows the node that it speaks for.
 */
export async function serviceAccountFiles(
  { kubeconfigPath, server }: SingleProcessCluster,
  nodeName: string,
): Promise<Readonly<Record<string, string>>> {
  const kubectl = kubectlFor({ kubeconfig: kubeconfigPath })
  const list = { apiVersion: 'v1', kind: 'List', items: objects(nodeName) }
  await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(list) })
  const podName = async (): Promise<string> => {
    const query = ['-l', `k8s-app=${name}`, '-o', 'jsonpath={.items[*].metadata.name}']
    return (await kubectl.run(['get', 'pods', '-n', operatorNamespace, ...query])).trim()
  }
  await until(async () => (await podName()) !== '', `the daemon's pod on ${nodeName}`, 60_000)
  const path = `/api/v1/namespaces/${operatorNamespace}/serviceaccounts/${name}/token`
  const request = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 7200, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: await podName() } },
  }
  const answer = await kubectl.run(['create', '--raw', path, '-f', '-'], { input: JSON.stringify(request) })
  const { status }: { readonly status: { readonly token: string } } = JSON.parse(answer)
  return { 'ca.crt': server.caPem, namespace: operatorNamespace, token: status.token }
}
