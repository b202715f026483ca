import { updateManagedFields } from '../patch/managedFields.ts'
import type { WriteCall } from './context.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'

/** Records in managedFields which manager set what; an apply has done so already. */
export function trackFields(
  resource: ResourceDefinition,
  old: ApiObject | undefined,
  next: ApiObject,
  subresource: string,
  { fieldManager, applied }: WriteCall,
  now: Date,
): ApiObject {
  if (applied) return next
  return updateManagedFields(old, next, { resource, manager: fieldManager, subresource, now })
}
