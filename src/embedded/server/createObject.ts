import { Entry } from '../store/entry.ts'
import { enforceAdmission } from './admission.ts'
import { completeObject } from './completeObject.ts'
import { type ServerContext, timestamp, type WriteCall } from './context.ts'
import { requireLastingDefinition } from './definitionLifecycle.ts'
import { requireOpenNamespace } from './namespaceState.ts'
import { metadataForCreate } from './objectMeta.ts'
import { prepareObject } from './prepareObject.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
import { served, toStored } from './served.ts'
import { alreadyExists, badRequest, invalid } from './statusError.ts'
import { shapeForCreate } from './strategy.ts'
import { pathOf, storageOf, type Target } from './target.ts'
import { trackFields } from './trackFields.ts'

/** Stores a new object; the decision is made in one step, the promise waits for the disk. Dry run: all but the disk. */
export async function createObject(
  context: ServerContext,
  where: { readonly resource: ResourceDefinition; readonly namespace: string; readonly name?: string },
  given: ApiObject,
  call: WriteCall,
): Promise<Entry> {
  const { resource, namespace } = where
  const name = nameFor(context, where, given)
  const target = { resource, namespace, name }
  const object = decideCreate(context, target, given, call)
  if (call.dryRun) return new Entry(pathOf(target), 0, object)
  const stored = toStored(resource, storageOf(context, resource), object)
  return served(resource, await context.database.put(pathOf(target), stored))
}

function decideCreate(context: ServerContext, target: Target, given: ApiObject, call: WriteCall): ApiObject {
  const { resource, namespace, name } = target
  requireMatchingNamespace(given, namespace)
  if (given.metadata.resourceVersion !== undefined && given.metadata.resourceVersion !== '') {
    throw badRequest('resourceVersion should not be set on objects to be created')
  }
  if (resource.namespaced) requireOpenNamespace(context, target)
  if (resource.custom) requireLastingDefinition(context, resource)
  if (context.database.latest(pathOf(target))) throw alreadyExists(resource, name)

  const now = context.clock.now()
  const metadata = metadataForCreate(given.metadata, {
    name,
    namespace,
    uid: context.ids.uid(),
    creationTimestamp: timestamp(now),
    generation: resource.tracksGeneration ? 1 : undefined,
  })
  const prepared = prepareObject(resource, shapeForCreate(resource, given, metadata), undefined, '', call, now)
  const object = trackFields(resource, undefined, completeObject(context, resource, '', prepared), '', call, now)
  enforceAdmission(
    context.admit,
    {
      operation: 'CREATE',
      resource,
      subresource: '',
      namespace,
      name,
      object,
      identity: call.identity,
      dryRun: call.dryRun,
    },
    call.warnings,
  )
  return object
}

/** So often is a name made before the client is told that it is taken (API concepts, "Generated values"). */
const generateTries = 8

/** The URL's name (upsert), the object's, or a generated one. */
function nameFor(
  context: ServerContext,
  where: { readonly resource: ResourceDefinition; readonly namespace: string; readonly name?: string },
  given: ApiObject,
): string {
  const { resource } = where
  const name = where.name ?? given.metadata.name ?? ''
  if (name !== '') return name
  const prefix = given.metadata.generateName ?? ''
  if (prefix === '') {
    throw invalid(resource, '', [
      {
        reason: 'FieldValueRequired',
        field: 'metadata.name',
        message: 'Required value: name or generateName is required',
      },
    ])
  }
  // 63 characters are what a label value may hold; the suffix must fit (API conventions, "Names of objects").
  const generated = () => `${prefix.slice(0, 58)}${context.ids.suffix()}`
  let next = generated()
  for (let tries = 1; tries < generateTries && context.database.latest(pathOf({ ...where, name: next })); tries += 1) {
    next = generated()
  }
  return next
}

export function requireMatchingNamespace(given: ApiObject, namespace: string): void {
  const own = given.metadata.namespace ?? ''
  if (own !== '' && own !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
}
