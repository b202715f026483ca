import type { WriteCall } from './context.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
import { invalid } from './statusError.ts'

/**
 * Everything between decoding and storage that looks at the object itself: unknown fields, defaults, the kind's own
 * preparation, validation. Throws one Status with every problem found.
 */
export function prepareObject(
  resource: ResourceDefinition,
  given: ApiObject,
  old: ApiObject | undefined,
  subresource: string,
  call: WriteCall,
  now: Date,
): ApiObject {
  const hookContext = { now, ...(subresource === '' ? {} : { subresource }) }
  const { hooks } = resource
  const object = old
    ? (hooks?.prepareForUpdate?.(given, old, hookContext) ?? given)
    : (hooks?.prepareForCreate?.(given, hookContext) ?? given)
  const problems = hooks?.validate?.(object, old) ?? []
  if (problems.length > 0) throw invalid(resource, object.metadata.name ?? '', problems)
  for (const warning of hooks?.warnings?.(object, old) ?? []) call.warnings.add(warning)
  return object
}
