import { Eviction } from '../builtins/coreSchemas.ts'
import { DeleteOptions, ListMeta, ObjectMeta, Patch, Status, WatchEvent } from '../builtins/metaSchemas.ts'
import { definitionNameOf, type GroupVersionKind, ref, str } from '../builtins/schemaBuilder.ts'
import { ScaleKind } from '../builtins/workloadSchemas.ts'
import type { OpenApiSchema, ResourceDefinition } from '../server/resource.ts'
import { type Dialect, type Published, type Publisher, publish, publishDefinition, refTo } from './publishedSchema.ts'

/** All definitions that a document about these resources needs, sorted by name. */
export function definitionsFor(
  resources: readonly ResourceDefinition[],
  dialect: Dialect,
): Readonly<Record<string, Published>> {
  const definitions = new Map<string, Published>()
  const builtin: Publisher = { dialect, definitions, custom: false }
  for (const schema of [DeleteOptions, Patch, Status, WatchEvent, ListMeta, ObjectMeta]) publish(schema, builtin)
  for (const resource of resources)
    publishResource(resource, { dialect, definitions, custom: resource.custom === true })
  return Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function publishResource(resource: ResourceDefinition, publisher: Publisher): void {
  const name = definitionNameFor(resource)
  publishDefinition(name, resource.custom ? customSchema(resource) : (resource.schema ?? {}), publisher)
  for (const { kind } of resource.subresources ?? []) {
    if (kind === 'Scale') publish(ScaleKind, { ...publisher, custom: false })
    if (kind === 'Eviction') publish(Eviction, { ...publisher, custom: false })
  }
  if (!resource.verbs.includes('list')) return
  publisher.definitions.set(`${name}List`, listDefinition(resource, name, publisher))
}

/** `io.k8s.api.core.v1.Pod`, or for a custom resource its group in reverse: `com.example.v1.Widget`. */
export function definitionNameFor(resource: ResourceDefinition): string {
  const published = resource.schema && !resource.custom ? definitionNameOf(resource.schema) : undefined
  if (published !== undefined) return published
  const reversed = resource.group.split('.').reverse()
  return [...reversed, resource.version, resource.kind].filter((part) => part !== '').join('.')
}

export const gvkOf = ({ group, version, kind }: ResourceDefinition): GroupVersionKind => ({ group, version, kind })

/** A custom resource's schema says nothing about the members that every object has. */
function customSchema(resource: ResourceDefinition): OpenApiSchema {
  const { schema } = resource
  const common = {
    apiVersion: str('Group and version of this document.'),
    kind: str('Kind of this document.'),
    metadata: ref(ObjectMeta, 'Name, labels and history of the object.'),
  }
  return {
    type: 'object',
    ...schema,
    ...(schema && Object.keys(schema.properties ?? {}).length === 0 && !schema.additionalProperties
      ? { 'x-kubernetes-preserve-unknown-fields': true }
      : {}),
    properties: { ...schema?.properties, ...common },
    'x-kubernetes-group-version-kind': [gvkOf(resource)],
  }
}

function listDefinition(resource: ResourceDefinition, name: string, publisher: Publisher): Published {
  const { group, version } = resource
  return {
    type: 'object',
    description: `A list of ${resource.kind} objects.`,
    properties: {
      apiVersion: { type: 'string', description: 'Group and version of this document.' },
      items: { type: 'array', description: 'The objects.', items: { $ref: refTo(publisher.dialect, name) } },
      kind: { type: 'string', description: 'Kind of this document.' },
      metadata: publish(ref(ListMeta, 'State and page of the list.'), publisher),
    },
    required: ['items'],
    'x-kubernetes-group-version-kind': [{ group, version, kind: resource.listKind ?? `${resource.kind}List` }],
  }
}
