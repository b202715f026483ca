import { administrator } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import { createObject } from './createObject.ts'
import type { ApiObject } from './resource.ts'
import { StatusError } from './statusError.ts'

const rbac = 'rbac.authorization.k8s.io'
const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

const objects: readonly ApiObject[] = [
  ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'cluster-admin' },
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'cluster-admin' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: 'system:masters' }],
  },
]

/** What every cluster has from its first moment: the namespaces and the role that clients take for granted. */
export async function createSystemObjects(context: ServerContext): Promise<void> {
  await Promise.all(objects.map((object) => createMissing(context, object)))
}

async function createMissing(context: ServerContext, object: ApiObject): Promise<void> {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion]
  const resource = context.registry.findKind(group ?? '', version ?? '', object.kind)
  if (!resource) return
  const call = {
    identity: administrator,
    dryRun: false,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Strict' as const,
    warnings: new Set<string>(),
  }
  await createObject(context, { resource, namespace: '' }, object, call).catch((error: unknown) => {
    if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
  })
}
