import type { Entry } from '../store/entry.ts'
import { enforceAdmission } from './admission.ts'
import { type ServerContext, timestamp, type WriteCall } from './context.ts'
import type { DeleteOptions } from './requestOptions.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
import { served, toStored } from './served.ts'
import { conflict, forbidden, notFound } from './statusError.ts'
import { pathOf, storageOf, type Target } from './target.ts'
import { isFinished } from './updateObject.ts'

export interface Deletion {
  readonly entry: Entry
  /** False: the object waits for its finalizers, or for the end of its grace period. */
  readonly gone: boolean
}

/** Removes an object, or marks it when somebody must finish first. */
export async function deleteObject(
  context: ServerContext,
  target: Target,
  options: Omit<DeleteOptions, 'dryRun'>,
  call: WriteCall,
): Promise<Deletion> {
  const { resource, namespace, name } = target
  const { database } = context
  const path = pathOf(target)
  const current = database.latest(path)
  if (!current) throw notFound(resource, name)
  const shown = served(resource, current)
  if (isNamespace(shown.object)) requireRemovableNamespace(shown.object)
  requirePreconditions(target, options.preconditions, shown)
  enforceAdmission(
    context.admit,
    {
      operation: 'DELETE',
      resource,
      subresource: '',
      namespace,
      name,
      old: shown.object,
      identity: call.identity,
      dryRun: call.dryRun,
    },
    call.warnings,
  )
  const next = markForDeletion(
    shown.object,
    graceSecondsFor(resource, shown.object, options.gracePeriodSeconds),
    options.propagationPolicy,
    context.clock.now(),
  )
  const gone = isFinished(next)
  if (call.dryRun) return { entry: shown, gone }
  if (!gone && next === shown.object) {
    await database.settled()
    return { entry: shown, gone }
  }
  const stored = toStored(resource, storageOf(context, resource), next)
  const entry = await (gone ? database.remove(path, stored) : database.put(path, stored))
  return { entry: served(resource, entry), gone }
}

/**
 * The object as it is after a delete request: with a deletion time, the finalizers that the propagation policy asks
 * for, and the shortest grace that anybody has asked for. Unchanged (the same value) when it is already so.
 */
export function markForDeletion(
  object: ApiObject,
  graceSeconds: number,
  propagation: DeleteOptions['propagationPolicy'],
  now: Date,
): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds: present, finalizers = [], generation } = object.metadata
  const wanted = finalizersFor(finalizers, propagation)
  const isMarked = deletionTimestamp !== undefined
  const shortens = !isMarked || graceSeconds < (present ?? 0)
  const sameFinalizers = wanted.length === finalizers.length
  if (isMarked && !shortens && sameFinalizers) return object
  const metadata = {
    ...object.metadata,
    ...(wanted.length > 0 ? { finalizers: wanted } : {}),
    ...(shortens
      ? {
          deletionTimestamp: timestamp(new Date(now.getTime() + graceSeconds * 1000)),
          deletionGracePeriodSeconds: graceSeconds,
          ...(generation !== undefined && !isMarked ? { generation: generation + 1 } : {}),
        }
      : {}),
  }
  return terminating({ ...object, metadata })
}

const isNamespace = ({ kind, apiVersion }: ApiObject): boolean => kind === 'Namespace' && apiVersion === 'v1'

const immortal = new Set(['default', 'kube-system', 'kube-public'])

function requireRemovableNamespace({ metadata: { name = '', deletionTimestamp } }: ApiObject): void {
  const namespaces = { group: '', plural: 'namespaces' }
  if (immortal.has(name)) throw forbidden(namespaces, name, 'this namespace may not be deleted')
  if (deletionTimestamp === undefined) return
  throw conflict(
    namespaces,
    name,
    'The system is ensuring all content is removed from this namespace.  Upon completion, this namespace will automatically be purged by the system.',
  )
}

/** A namespace under deletion shows it in its phase. */
function terminating(object: ApiObject): ApiObject {
  if (!isNamespace(object)) return object
  return { ...object, status: { ...(object.status as object | undefined), phase: 'Terminating' } }
}

/** Garbage collection, "Cascading deletion": foreground and orphan are finalizers that the collector works off. */
function finalizersFor(
  finalizers: readonly string[],
  propagation: DeleteOptions['propagationPolicy'],
): readonly string[] {
  const added = propagation === 'Foreground' ? 'foregroundDeletion' : propagation === 'Orphan' ? 'orphan' : undefined
  return added === undefined || finalizers.includes(added) ? finalizers : [...finalizers, added]
}

/** Only kinds with a grace of their own (pods) have one; a pod that no kubelet runs or that has ended goes at once. */
export function graceSecondsFor(
  resource: ResourceDefinition | undefined,
  object: ApiObject,
  asked: number | undefined,
): number {
  const own = resource?.gracePeriodSeconds?.(object) ?? 0
  if (own === 0 || isWithoutKubelet(object)) return 0
  if (asked === undefined) return own
  return asked < 0 ? 1 : asked
}

function isWithoutKubelet({ spec, status }: ApiObject): boolean {
  const { nodeName } = (spec ?? {}) as { nodeName?: string }
  const { phase } = (status ?? {}) as { phase?: string }
  return (nodeName ?? '') === '' || phase === 'Succeeded' || phase === 'Failed'
}

function requirePreconditions(
  { resource, name }: Target,
  wanted: DeleteOptions['preconditions'],
  current: Entry,
): void {
  const uid = current.object.metadata.uid ?? ''
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    throw conflict(
      resource,
      name,
      `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${uid}`,
    )
  }
  const version = String(current.revision)
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== version) {
    throw conflict(
      resource,
      name,
      `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${version}`,
    )
  }
}
