import type { WriteCall } from './context.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'

/** Records in managedFields which manager set what. */
export function trackFields(
  _resource: ResourceDefinition,
  _old: ApiObject | undefined,
  next: ApiObject,
  _subresource: string,
  _call: WriteCall,
  _now: Date,
): ApiObject {
  return next
}
