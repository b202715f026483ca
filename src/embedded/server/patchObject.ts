import { applyPatch, type PatchRequest, type PatchResult } from '../patch/applyPatch.ts'
import type { ServerContext } from './context.ts'
import { createObject, requireMatchingNamespace } from './createObject.ts'
import type { JsonObject } from './decodeBody.ts'
import { decodeMetadata } from './decodeMetadata.ts'
import { requireShallow } from './nesting.ts'
import { type ApiObject, allVerbs, type ResourceDefinition } from './resource.ts'
import { noteUnknown, type ResourceCall, targetOf } from './resourceCall.ts'
import { badRequest, conflict, modified, notFound } from './statusError.ts'
import { pathOf } from './target.ts'
import { trackFields } from './trackFields.ts'
import { prepareUpdate, type WriteResult, writeUpdate } from './updateObject.ts'

/** PATCH of any type. The patch is applied to the newest state in one step, so there is nothing to retry. */
export async function patchObject(context: ServerContext, call: ResourceCall): Promise<WriteResult> {
  const target = targetOf(call)
  const { resource, info, write } = call
  const now = context.clock.now()
  if (!context.database.latest(pathOf(target))) {
    if (info.subresource !== '') throw notFound(resource, info.name)
    const object = patched(call, requestOf(call, resource, undefined, now)).object
    return { entry: await createObject(context, target, object, { ...write, applied: true }), created: true }
  }
  const change = (old: ApiObject) => {
    const { object, operation } = patched(call, requestOf(call, resource, old, now))
    requireSameObject(resource, object, old)
    const next = prepareUpdate(context, target, info.subresource, object, old, write)
    return operation === 'Apply' ? next : trackFields(resource, old, next, info.subresource, write, now)
  }
  return {
    entry: await writeUpdate(context, target, info.subresource, { metadata: {} }, change, write),
    created: false,
  }
}

/** What a patch leaves is decoded like any body. */
function patched(call: ResourceCall, request: PatchRequest): PatchResult {
  const { object, operation } = applyPatch(request)
  const metadata = decodeMetadata(requireShallow(object).metadata, (path) => noteUnknown(call, path))
  // An apply takes no managedFields, it makes them: that very list is known to those who read it next.
  const { managedFields } = operation === 'Apply' ? object.metadata : metadata
  return { object: { ...object, metadata: { ...metadata, ...(managedFields && { managedFields }) } }, operation }
}

const scaleResource: ResourceDefinition = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  singular: 'scale',
  namespaced: true,
  verbs: allVerbs,
}

/** A patch of a `scale` subresource, which is no stored object of its own. */
export function patchScale(call: ResourceCall, scale: ApiObject, now: Date): JsonObject {
  return applyPatch(requestOf(call, scaleResource, scale, now)).object
}

function requestOf(
  call: ResourceCall,
  resource: ResourceDefinition,
  current: ApiObject | undefined,
  now: Date,
): PatchRequest {
  const { request, info, query, write, force } = call
  const contentType = request.headers['content-type'] ?? ''
  const isApply = contentType.startsWith('application/apply-patch')
  return {
    resource,
    name: info.name,
    current,
    body: textOf(request.body),
    contentType,
    // Whoever applies must say who it is; for the others the user agent will do.
    fieldManager: isApply ? (query.get('fieldManager') ?? '') : write.fieldManager,
    force,
    subresource: info.subresource,
    now,
  }
}

function textOf(body: Uint8Array | string | undefined): string {
  if (body === undefined || typeof body === 'string') return body ?? ''
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}

/** A version or uid inside a patch is a precondition; a name inside it must be the one in the URL. */
function requireSameObject(resource: ResourceDefinition, next: ApiObject, old: ApiObject): void {
  const name = old.metadata.name ?? ''
  const { metadata } = next
  if (metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name ?? ''}) does not match the name on the URL (${name})`)
  }
  requireMatchingNamespace(next, old.metadata.namespace ?? '')
  if (metadata.uid !== undefined && metadata.uid !== old.metadata.uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${old.metadata.uid ?? ''}`,
    )
  }
  const version = metadata.resourceVersion ?? ''
  if (version !== '' && version !== old.metadata.resourceVersion) throw modified(resource, name)
}
