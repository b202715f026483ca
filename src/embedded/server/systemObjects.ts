import { administrator } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import { createObject } from './createObject.ts'
import { StatusError } from './statusError.ts'

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** What every cluster has from its first moment: the namespaces that clients take for granted. */
export async function createSystemObjects(context: ServerContext): Promise<void> {
  const resource = context.registry.find('', 'v1', 'namespaces')
  if (!resource) return
  const call = {
    identity: administrator,
    dryRun: false,
    fieldManager: 'kube-apiserver',
    fieldValidation: 'Strict' as const,
    warnings: new Set<string>(),
  }
  for (const name of namespaces) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await createObject(context, { resource, namespace: '' }, object, call).catch((error: unknown) => {
      if (!(error instanceof StatusError && error.status.reason === 'AlreadyExists')) throw error
    })
  }
}
