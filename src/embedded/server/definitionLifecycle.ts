import type { CustomResourceDefinition } from '../../api/apiextensions.ts'
import { fieldErrorToCause } from '../../schema/fieldError.ts'
import { collectionId } from '../store/objectPath.ts'
import type { ServerContext } from './context.ts'
import { timestamp } from './context.ts'
import { cleanupFinalizer, definitionToResources, withDefinitionStatus } from './customResources.ts'
import { definitionErrors } from './definitionRules.ts'
import { type ApiObject, qualifiedResource, type ResourceDefinition } from './resource.ts'
import { invalid, StatusError } from './statusError.ts'

export const definitionCollection = 'apiextensions.k8s.io/customresourcedefinitions'

/** A definition on its way to storage: checked, and with the status that decides what is served. */
export function completeDefinition(context: ServerContext, object: ApiObject): ApiObject {
  const definition = asDefinition(object)
  const name = object.metadata.name ?? ''
  const stored = context.database.latest({ collection: definitionCollection, namespace: '', name })
  const problems = definitionErrors(definition, stored && asDefinition(stored.object)).map(fieldErrorToCause)
  if (problems.length > 0) {
    throw invalid({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }, name, problems)
  }
  const others = context.database
    .collection(definitionCollection)
    .list()
    .map((entry) => asDefinition(entry.object))
  const completed = withDefinitionStatus(definition, others, timestamp(context.clock.now()))
  const { finalizers = [], deletionTimestamp } = object.metadata
  const needsFinalizer = deletionTimestamp === undefined && !finalizers.includes(cleanupFinalizer)
  const metadata = needsFinalizer
    ? { ...object.metadata, finalizers: [...finalizers, cleanupFinalizer] }
    : object.metadata
  return { ...object, metadata, status: completed.status }
}

/** A kind that is being removed takes no new objects: its removal would never end. */
export function requireLastingDefinition(
  { database }: Pick<ServerContext, 'database'>,
  resource: ResourceDefinition,
): void {
  const definition = database.latest({
    collection: definitionCollection,
    namespace: '',
    name: qualifiedResource(resource),
  })
  if (definition?.object.metadata.deletionTimestamp === undefined) return
  const message = 'create not allowed while custom resource definition is terminating'
  throw new StatusError(405, 'MethodNotAllowed', message, { group: resource.group, kind: resource.plural })
}

/** Keeps the registry equal to the stored definitions, from now on. */
export function serveDefinitions({
  database,
  registry,
  broadcastOf,
}: Pick<ServerContext, 'database' | 'registry' | 'broadcastOf'>): void {
  const collection = database.collection(definitionCollection)
  for (const { object } of collection.list()) {
    registry.setCustom(object.metadata.name ?? '', definitionToResources(asDefinition(object)))
  }
  collection.listen((change) => {
    const { object } = change.entry
    const resources = change.type === 'DELETED' ? [] : definitionToResources(asDefinition(object))
    registry.setCustom(object.metadata.name ?? '', resources)
    if (change.type === 'DELETED') broadcastOf(database.collection(objectsOf(object))).end()
  })
}

/** The collection of the objects of a definition's kind. */
export function objectsOf(object: ApiObject): string {
  const { group, names } = asDefinition(object).spec
  return collectionId(group, names.plural)
}

/** Stored definitions have passed the schema of their kind and `definitionErrors`. */
function asDefinition(object: ApiObject): CustomResourceDefinition {
  return object as ApiObject & CustomResourceDefinition
}
