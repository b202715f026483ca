import type { ServerContext } from './context.ts'
import { completeDefinition } from './definitionLifecycle.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'

/** What kinds that the server itself lives by get beyond their own hooks: it needs to know the other objects. */
export function completeObject(
  context: ServerContext,
  resource: ResourceDefinition,
  subresource: string,
  object: ApiObject,
): ApiObject {
  if (subresource === '' && resource.group === 'apiextensions.k8s.io' && resource.kind === 'CustomResourceDefinition') {
    return completeDefinition(context, object)
  }
  return object
}
