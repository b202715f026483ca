import { Entry } from '../store/entry.ts'
import { enforceAdmission } from './admission.ts'
import { completeObject } from './completeObject.ts'
import type { ServerContext, WriteCall } from './context.ts'
import { createObject, requireMatchingNamespace } from './createObject.ts'
import { finalizerProblems } from './objectMeta.ts'
import { prepareObject } from './prepareObject.ts'
import type { ApiObject } from './resource.ts'
import { served, toStored } from './served.ts'
import { badRequest, conflict, invalid, modified, notFound } from './statusError.ts'
import { isSameObject, shapeForUpdate, withGeneration } from './strategy.ts'
import { pathOf, storageOf, type Target } from './target.ts'
import { trackFields } from './trackFields.ts'

export interface WriteResult {
  readonly entry: Entry
  readonly created: boolean
}

/** PUT of a whole object, or of its status. */
export async function replaceObject(
  context: ServerContext,
  target: Target,
  subresource: string,
  given: ApiObject,
  call: WriteCall,
): Promise<WriteResult> {
  const { resource, name } = target
  requireMatchingName(given, name)
  requireMatchingNamespace(given, target.namespace)
  const current = context.database.latest(pathOf(target))
  if (!current) {
    if (!resource.allowsCreateOnUpdate || subresource !== '') throw notFound(resource, name)
    return { entry: await createObject(context, target, given, call), created: true }
  }
  if (resource.custom && (given.metadata.resourceVersion ?? '') === '') throw mustSpecifyVersion(target)
  const shaped = (old: ApiObject) =>
    trackFields(resource, old, prepare(given, old), subresource, call, context.clock.now())
  const prepare = (proposed: ApiObject, old: ApiObject) =>
    prepareUpdate(context, target, subresource, proposed, old, call)
  return { entry: await writeUpdate(context, target, subresource, given, shaped, call), created: false }
}

/**
 * Decides an update on the newest state and stores it. `change` gives the whole next object (managed fields included).
 * Nothing is written when nothing changes; an object whose last finalizer goes away while it is being deleted goes too.
 */
export async function writeUpdate(
  context: ServerContext,
  target: Target,
  subresource: string,
  preconditions: { readonly metadata: { readonly uid?: string; readonly resourceVersion?: string } },
  change: (old: ApiObject) => ApiObject,
  call: WriteCall,
): Promise<Entry> {
  const { resource, namespace, name } = target
  const path = pathOf(target)
  const current = context.database.latest(path)
  if (!current) throw notFound(resource, name)
  const shown = served(resource, current)
  requirePreconditions(target, preconditions.metadata, shown)
  const object = change(shown.object)
  enforceAdmission(
    context.admit,
    {
      operation: 'UPDATE',
      resource,
      subresource,
      namespace,
      name,
      object,
      old: shown.object,
      identity: call.identity,
      dryRun: call.dryRun,
    },
    call.warnings,
  )
  if (isSameObject(object, shown.object)) {
    // The state that was found equal may still be on its way to the disk.
    await context.database.settled()
    return shown
  }
  if (call.dryRun) return new Entry(path, shown.revision, object)
  const stored = toStored(resource, storageOf(context, resource), object)
  const write = isFinished(object) ? context.database.remove(path, stored) : context.database.put(path, stored)
  return served(resource, await write)
}

/** Shapes, defaults and validates a proposed next state. */
export function prepareUpdate(
  context: ServerContext,
  { resource }: Target,
  subresource: string,
  proposed: ApiObject,
  old: ApiObject,
  call: WriteCall,
): ApiObject {
  const shaped = shapeForUpdate(resource, proposed, old, subresource)
  const problems = finalizerProblems(shaped.metadata, old.metadata)
  if (problems.length > 0) throw invalid(resource, old.metadata.name ?? '', problems)
  const complete = prepareObject(resource, shaped, old, subresource, call, context.clock.now())
  const prepared = subresource === 'status' ? complete : withGeneration(resource, complete, old)
  return completeObject(context, resource, subresource, prepared)
}

/** Deletion has begun, nobody holds the object any more, and no grace is left (Finalizers; API concepts, "Deletion"). */
export function isFinished(object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false
  if ((deletionGracePeriodSeconds ?? 0) > 0) return false
  return !hasNamespaceFinalizers(object)
}

/** Namespaces carry finalizers of their own in spec, which the namespace lifecycle removes last. */
function hasNamespaceFinalizers(object: ApiObject): boolean {
  if (object.kind !== 'Namespace' || object.apiVersion !== 'v1') return false
  const spec = object.spec as { finalizers?: readonly string[] } | undefined
  return (spec?.finalizers ?? []).length > 0
}

function requirePreconditions(
  { resource, name }: Target,
  { uid, resourceVersion }: { readonly uid?: string; readonly resourceVersion?: string },
  current: Entry,
): void {
  const found = current.object.metadata.uid ?? ''
  if (uid !== undefined && uid !== '' && uid !== found) {
    throw conflict(resource, name, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`)
  }
  if (resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0') return
  if (resourceVersion !== String(current.revision)) throw modified(resource, name)
}

function requireMatchingName(given: ApiObject, name: string): void {
  const own = given.metadata.name ?? ''
  if (own === '') throw badRequest('the name of the object is missing; metadata.name must be the name in the URL')
  if (own !== name) throw badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`)
}

function mustSpecifyVersion({ resource, name }: Target) {
  return invalid(resource, name, [
    {
      reason: 'FieldValueInvalid',
      field: 'metadata.resourceVersion',
      message: 'Invalid value: 0x0: must be specified for an update',
    },
  ])
}
