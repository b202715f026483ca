import type { ManagedFieldsEntry } from '../../api/meta.ts'
import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import { type ApiObject, hasSubresource, type ResourceDefinition, resourceApiVersion } from '../server/resource.ts'
import { compareFields } from './compareFields.ts'
import { rootSchema } from './fieldSchema.ts'
import { difference, differenceBelow, emptySet, type FieldSet, isEmptySet, setOf, union } from './fieldSet.ts'
import { capManagers, changeSets, decodeManagers, encodeManagers, identityOf, type Managers } from './managers.ts'

export interface UpdateContext {
  readonly resource: ResourceDefinition
  readonly manager: string
  readonly subresource?: string
  readonly now: Date
}

/**
 * The new object with managedFields brought up to date for a create, update or patch (everything but apply): what the
 * write changed belongs to its manager now, what it removed belongs to nobody (public docs, "Server-Side Apply"). An
 * object that is not tracked, because its managers were reset by `[{}]` or never known, stays untracked until somebody
 * applies it.
 */
export function updateManagedFields(old: ApiObject | undefined, next: ApiObject, context: UpdateContext): ApiObject {
  const managers = managersFor(old, next, context.subresource ?? '')
  if (old && managers.size === 0) return withManagers(next, managers)
  return withManagers(next, capManagers(afterUpdate(old, next, managers, context)))
}

/** The managers to start from: those that the client sent when they make sense, else those that are stored. */
export function managersFor(old: ApiObject | undefined, next: ApiObject, subresource: string): Managers {
  const sent = next.metadata.managedFields
  if (old && isReset(sent) && subresource === '') return new Map()
  const decoded = subresource === '' ? decodeManagers(sent) : undefined
  if (decoded && decoded.size > 0) return decoded
  return decodeManagers(old?.metadata.managedFields) ?? new Map()
}

const isReset = (entries: readonly ManagedFieldsEntry[] | undefined): boolean =>
  entries?.length === 1 && Object.keys(entries[0] ?? {}).length === 0

export function afterUpdate(
  old: ApiObject | undefined,
  next: ApiObject,
  managers: Managers,
  { resource, manager, subresource = '', now }: UpdateContext,
): Managers {
  const schema = rootSchema(resource)
  const before = old ? withoutManagers(old) : emptyObject(resource)
  const { added, modified, removed } = compareFields(before, withoutManagers(next), schema)
  const changed = owned(union(added, modified), resource, subresource)
  const gone = ignoring(removed, resource, subresource)
  const left = changeSets(managers, ({ set }) => difference(difference(set, changed), gone))
  if (isEmptySet(changed)) return left

  const self = { name: manager, operation: 'Update' as const, apiVersion: resourceApiVersion(resource), subresource }
  const identity = identityOf(self)
  // From the set as it was, not from what is left of it: who writes the same fields again keeps the very same set.
  const kept = difference(managers.get(identity)?.set ?? emptySet, gone)
  return new Map(left).set(identity, { ...self, time: timeOf(now), set: union(kept, changed) })
}

export const timeOf = (now: Date): string => `${now.toISOString().slice(0, 19)}Z`

/** What a manager may own of the paths that it set: not the identity of the object, and not what the write resets. */
export function owned(set: FieldSet, resource: ResourceDefinition, subresource: string): FieldSet {
  return difference(ignoring(set, resource, subresource), identityFields)
}

const identityFields = setOf([
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
])

/** A write to the object cannot change status, and a write to status can change nothing else. */
function ignoring(set: FieldSet, resource: ResourceDefinition, subresource: string): FieldSet {
  if (subresource === 'status') {
    const others = [...set.members, ...set.children.keys()].filter(
      (element) => element !== 'f:status' && (resource.custom === true || element !== 'f:metadata'),
    )
    return differenceBelow(set, setOf(others.map((element) => [element])))
  }
  return hasSubresource(resource, 'status') ? differenceBelow(set, setOf([['f:status']])) : set
}

export function withoutManagers(object: ApiObject): ApiObject {
  if (object.metadata.managedFields === undefined) return object
  const { managedFields: _dropped, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** An object that nobody manages has no list at all. */
export function withManagers(object: ApiObject, managers: Managers): ApiObject {
  const rest = withoutManagers(object)
  if (managers.size === 0) return rest
  return { ...rest, metadata: { ...rest.metadata, managedFields: encodeManagers(managers) } }
}

/**
 * What a create is compared with. Parts of built-in kinds that always exist (a spec, a pod template) are nothing that a
 * manager brings into being, so it does not own them; custom resources have no such parts.
 */
function emptyObject(resource: ResourceDefinition): JsonObject {
  if (resource.custom || !resource.schema) return { metadata: {} }
  const { spec, status } = resource.schema.properties ?? {}
  return {
    metadata: {},
    ...(spec ? { spec: alwaysPresent(spec.properties ?? {}) } : {}),
    ...(status ? { status: {} } : {}),
  }
}

function alwaysPresent(properties: Readonly<Record<string, unknown>>): JsonObject {
  return {
    ...('containers' in properties ? { containers: null } : {}),
    ...('template' in properties ? { template: emptyTemplate } : {}),
    ...('strategy' in properties && isObject(properties.strategy) && properties.strategy.type === 'object'
      ? { strategy: {} }
      : {}),
    ...('updateStrategy' in properties ? { updateStrategy: {} } : {}),
    ...('jobTemplate' in properties ? { jobTemplate: { metadata: {}, spec: { template: emptyTemplate } } } : {}),
  }
}

const emptyTemplate: JsonObject = { metadata: {}, spec: { containers: null } }
