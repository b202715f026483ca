import type { ServerContext } from './context.ts'
import { qualifiedResource } from './resource.ts'
import { notFound, StatusError } from './statusError.ts'
import type { Target } from './target.ts'

const namespaces = { group: '', plural: 'namespaces' }

/** A namespaced object can only be created in a namespace that exists and is not being removed. */
export function requireOpenNamespace({ database }: ServerContext, { resource, namespace, name }: Target): void {
  const found = database.latest({ collection: 'core/namespaces', namespace: '', name: namespace })
  if (!found) throw notFound(namespaces, namespace)
  if (found.object.metadata.deletionTimestamp === undefined) return
  throw new StatusError(
    403,
    'Forbidden',
    `${qualifiedResource(resource)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    {
      name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  )
}
