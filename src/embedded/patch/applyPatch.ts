import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import { requireShallow } from '../server/nesting.ts'
import { type ApiObject, type ResourceDefinition, resourceApiVersion } from '../server/resource.ts'
import { badRequest, invalid, notFound, StatusError, unsupportedMediaType } from '../server/statusError.ts'
import { textOfValue } from '../server/textOfValue.ts'
import { parseYamlBody } from '../server/yamlBody.ts'
import { applyJsonPatch } from './jsonPatch.ts'
import { mergePatch } from './mergePatch.ts'
import { applyConfiguration } from './serverSideApply.ts'
import { applyStrategicMerge } from './strategicMerge.ts'

export interface PatchRequest {
  readonly resource: ResourceDefinition
  readonly name: string
  /** The stored object in the version of `resource`. Absent: only an apply can go on, and creates it. */
  readonly current: ApiObject | undefined
  readonly body: string
  readonly contentType: string
  /** The query parameter or, for everything but apply, a name made from the user agent. */
  readonly fieldManager: string
  readonly force: boolean
  /** Empty for the object itself. */
  readonly subresource: string
  readonly now: Date
}

export interface PatchResult {
  /**
   * The next state. After an `Apply` its managedFields are up to date; after an `Update` they are what the client left
   * in them, and `updateManagedFields` is to follow once defaults are filled in.
   */
  readonly object: ApiObject
  readonly operation: 'Apply' | 'Update'
}

type PatchType = 'json' | 'merge' | 'strategic' | 'apply'
const contentTypes: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
}

/**
 * A PATCH request's effect on an object. Throws `StatusError`: 415 for a type that the resource does not take (custom
 * resources have no strategic merge), 400 for a body that is no patch, 422 for one that does not fit, 409 for an apply
 * that conflicts. What may change is decided later, in the same way as for an update.
 */
export function applyPatch(request: PatchRequest): PatchResult {
  const type = patchTypeOf(request)
  requireOptions(type, request)
  const { resource, current } = request
  if (type === 'apply') return { object: apply(request), operation: 'Apply' }
  if (!current) throw notFound(resource, request.name)
  return { object: asResource(patched(type, current, request), resource), operation: 'Update' }
}

/** Content types that a PATCH of this resource may have, as a 415 lists them. */
export function acceptedPatchTypes(resource: ResourceDefinition): readonly string[] {
  return Object.keys(contentTypes).filter((type) => !resource.custom || contentTypes[type] !== 'strategic')
}

function patchTypeOf({ contentType, resource }: PatchRequest): PatchType {
  const accepted = acceptedPatchTypes(resource)
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  const type = accepted.includes(media) ? contentTypes[media] : undefined
  if (type === undefined) throw unsupportedMediaType(accepted)
  return type
}

function requireOptions(type: PatchType, { fieldManager, force }: PatchRequest): void {
  const options = { group: 'meta.k8s.io', kind: 'PatchOptions' }
  if (type === 'apply' && fieldManager === '') {
    const message = 'Required value: is required for apply patch'
    throw invalid(options, '', [{ reason: 'FieldValueRequired', field: 'fieldManager', message }])
  }
  if (type !== 'apply' && force) {
    const message = 'Forbidden: may not be specified for non-apply patch'
    throw invalid(options, '', [{ reason: 'FieldValueForbidden', field: 'force', message }])
  }
}

function patched(type: Exclude<PatchType, 'apply'>, current: ApiObject, { body, resource }: PatchRequest): unknown {
  const patch = parseJson(body)
  switch (type) {
    case 'json':
      return applyJsonPatch(current, patch)
    case 'merge':
      if (!isObject(patch)) throw badRequest('a merge patch is an object, and the body is not one')
      return mergePatch(current, patch)
    case 'strategic':
      if (!isObject(patch)) throw badRequest('a strategic merge patch is an object, and the body is not one')
      return applyStrategicMerge(current, patch, resource.schema)
    default:
      return type satisfies never
  }
}

function apply({ resource, name, current, body, fieldManager, force, subresource, now }: PatchRequest): ApiObject {
  const config = parseConfiguration(body)
  requireSameKind(config, resource)
  const metadata = isObject(config.metadata) ? config.metadata : {}
  const named = { ...config, metadata: { ...metadata, name: metadata.name ?? name } }
  if (!current) requireCreatable(named.metadata, resource, name)
  const context = { resource, manager: fieldManager, force, subresource, now }
  return applyConfiguration(current, named, context)
}

function requireSameKind(config: JsonObject, resource: ResourceDefinition): void {
  const expected = resourceApiVersion(resource)
  if (config.apiVersion === expected && config.kind === resource.kind) return
  if (config.kind === undefined || config.kind === '') throw badRequest('invalid object type: Kind is not set')
  throw badRequest(
    `invalid object type: ${textOfValue(config.apiVersion)}, Kind=${textOfValue(config.kind)}; expected ${expected}, Kind=${resource.kind}`,
  )
}

function requireCreatable(metadata: JsonObject, resource: ResourceDefinition, name: string): void {
  if (metadata.uid === undefined || metadata.uid === '') return
  throw new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${resource.plural} ${JSON.stringify(name)}: uid mismatch: the provided object specified uid ${textOfValue(metadata.uid)}, and no existing object was found`,
    { name, kind: resource.plural },
  )
}

/** The result must still be an object of its kind; everything else about it is checked as for an update. */
function asResource(value: unknown, resource: ResourceDefinition): ApiObject {
  if (!isObject(value)) throw badRequest('the patch does not leave an object')
  const { apiVersion, kind, metadata } = value
  if (apiVersion !== resourceApiVersion(resource) || kind !== resource.kind) {
    throw badRequest(
      `the patch changes the object's type to ${textOfValue(apiVersion)}, Kind=${textOfValue(kind)}; expected ${resourceApiVersion(resource)}, Kind=${resource.kind}`,
    )
  }
  if (!isObject(metadata)) throw badRequest('the patch does not leave metadata in the object')
  return { ...value, apiVersion, kind, metadata }
}

function parseJson(body: string): unknown {
  try {
    return requireShallow(JSON.parse(body))
  } catch (cause) {
    // The parser's own message quotes the text, which may hold a secret.
    if (cause instanceof SyntaxError) throw badRequest('error decoding patch: the body is not valid JSON')
    throw cause
  }
}

function parseConfiguration(body: string): JsonObject {
  let value: unknown
  try {
    value = parseYamlBody(body)
  } catch (cause) {
    if (cause instanceof StatusError) throw cause
    throw badRequest('error decoding YAML: the body is not valid YAML or JSON')
  }
  if (!isObject(value)) throw badRequest('error decoding YAML: the body is not an object')
  return requireShallow(value)
}
