import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import { type ApiObject, type ResourceDefinition, resourceApiVersion } from '../server/resource.ts'
import { badRequest, StatusError } from '../server/statusError.ts'
import { compareFields, isSame } from './compareFields.ts'
import { rootSchema } from './fieldSchema.ts'
import { difference, emptySet, equalSets, type FieldSet, intersection, isEmptySet, pathsOf, union } from './fieldSet.ts'
import { fieldsOf } from './fieldsOf.ts'
import { appliedBefore, refreshLastApplied } from './lastApplied.ts'
import { afterUpdate, managersFor, owned, timeOf, withManagers, withoutManagers } from './managedFields.ts'
import { changeSets, identityOf, type Manager, type Managers } from './managers.ts'
import { mergeApplied, pruneApplied } from './mergeApplied.ts'
import { pathText } from './pathElement.ts'

export interface ApplyContext {
  readonly resource: ResourceDefinition
  readonly manager: string
  readonly subresource: string
  readonly force: boolean
  readonly now: Date
}

/**
 * Server-side apply (public docs, "Server-Side Apply"): the object takes the configuration's values, loses what the same
 * manager applied before and nobody wants any more, and records who owns what. A value that another manager owns and
 * that would change is a conflict (409), unless `force` takes it over. Applying the same again changes nothing, not even
 * the recorded time.
 */
export function applyConfiguration(live: ApiObject | undefined, config: JsonObject, context: ApplyContext): ApiObject {
  const applied = asObject(config)
  const { resource } = context
  const { set, problems } = fieldsOf(applied, rootSchema(resource))
  if (problems.length > 0) throw untyped(applied, resource, problems)
  const managers = live ? trackedManagers(live, context) : new Map<string, Manager>()
  const first = attempt(live, applied, set, managers, context)
  const result = first.conflicts.length > 0 ? afterConflicts(first, live, applied, set, managers, context) : first
  return refreshLastApplied(result.object, live, applied, context.manager)
}

interface Conflict {
  readonly manager: Manager
  readonly set: FieldSet
}
interface Attempt {
  readonly object: ApiObject
  readonly conflicts: readonly Conflict[]
}

function attempt(
  live: ApiObject | undefined,
  applied: ApiObject,
  set: FieldSet,
  managers: Managers,
  context: ApplyContext,
): Attempt {
  const { resource, manager, subresource, force, now } = context
  const schema = rootSchema(resource)
  const identity = identityOf({ name: manager, operation: 'Apply', apiVersion: '', subresource })
  const previous = managers.get(identity)
  const others = new Map([...managers].filter(([each]) => each !== identity))

  const base = live ? withoutManagers(live) : undefined
  const merged = mergeApplied(base, applied, schema)
  const wanted = [...others.values()].reduce((all, each) => union(all, each.set), set)
  const object = requireObject(pruneApplied(merged, schema, previous?.set ?? emptySet, wanted))

  const comparison = compareFields(base ?? {}, object, schema)
  const touched = owned(union(comparison.added, comparison.modified), resource, subresource)
  const conflicts = [...others.values()]
    .map((other) => ({ manager: other, set: intersection(other.set, touched) }))
    .filter((conflict) => !isEmptySet(conflict.set))
  if (conflicts.length > 0 && !force) return { object, conflicts }

  const claimed = owned(set, resource, subresource)
  const own = previous && equalSets(previous.set, claimed) ? previous.set : claimed
  const left = changeSets(others, (other) => difference(difference(other.set, touched), comparison.removed))
  const sameOwner = previous?.set === own && previous.apiVersion === resourceApiVersion(resource)
  const unchanged = isSame(comparison) && sameOwner && conflicts.length === 0
  const time = unchanged ? previous.time : timeOf(now)
  const self = {
    name: manager,
    operation: 'Apply' as const,
    apiVersion: resourceApiVersion(resource),
    subresource,
    time,
    set: own,
  }
  const all = isEmptySet(own) ? left : new Map(left).set(identity, self)
  return { object: withManagers(object, all), conflicts: [] }
}

/** Values that `kubectl apply` set on the client's side belong to the same user: they are taken over without asking. */
function afterConflicts(
  { conflicts }: Attempt,
  live: ApiObject | undefined,
  applied: ApiObject,
  set: FieldSet,
  managers: Managers,
  context: ApplyContext,
): Attempt {
  const allowed = context.manager === 'kubectl' && live ? appliedBefore(live, rootSchema(context.resource)) : emptySet
  const serious = conflicts
    .map((conflict) => ({ ...conflict, set: difference(conflict.set, allowed) }))
    .filter((conflict) => !isEmptySet(conflict.set))
  if (serious.length > 0) throw conflictError(serious)
  return attempt(live, applied, set, managers, { ...context, force: true })
}

/** An object that nobody tracked so far belongs to `before-first-apply` as it is. */
function trackedManagers(live: ApiObject, context: ApplyContext): Managers {
  const managers = managersFor(undefined, live, '')
  if (managers.size > 0) return managers
  const { resource, now } = context
  return afterUpdate(undefined, withoutManagers(live), managers, { resource, manager: 'before-first-apply', now })
}

function asObject(config: JsonObject): ApiObject {
  const { apiVersion, kind, metadata = {} } = config
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isObject(metadata)) {
    throw badRequest('an applied configuration needs apiVersion, kind and metadata')
  }
  const entries = metadata.managedFields
  if (Array.isArray(entries) ? entries.length > 0 : entries !== undefined && entries !== null) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const { managedFields: _empty, creationTimestamp: _null, ...rest } = metadata
  return { ...config, apiVersion, kind, metadata: rest }
}

function requireObject(value: unknown): ApiObject {
  if (isObject(value)) {
    const { apiVersion, kind, metadata } = value
    if (typeof apiVersion === 'string' && typeof kind === 'string' && isObject(metadata)) {
      return { ...value, apiVersion, kind, metadata }
    }
  }
  throw new Error('an applied object lost its apiVersion, kind or metadata')
}

function untyped(
  { apiVersion, kind, metadata }: ApiObject,
  _resource: ResourceDefinition,
  problems: readonly { readonly path: string; readonly message: string }[],
): StatusError {
  const texts = problems.map(({ path, message }) => `${path}: ${message}`)
  const summary = texts.length === 1 ? texts[0] : `errors:\n${texts.map((text) => `  ${text}`).join('\n')}`
  const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
  return badRequest(`failed to create typed patch object (${name}; ${apiVersion}, Kind=${kind}): ${summary}`)
}

function conflictError(conflicts: readonly Conflict[]): StatusError {
  const all = [...conflicts]
    .sort((a, b) => (a.manager.name < b.manager.name ? -1 : 1))
    .map(({ manager, set }) => ({ manager: managerText(manager), paths: pathsOf(set).map(pathText) }))
  const causes = all.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${manager}`, field })),
  )
  const [first] = causes
  const message =
    causes.length === 1 && first
      ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
      : `Apply failed with ${causes.length} conflicts: ${all
          .flatMap(({ manager, paths }) => [`conflicts with ${manager}:`, ...paths.map((path) => `- ${path}`)])
          .join('\n')}`
  return new StatusError(409, 'Conflict', message, { causes })
}

function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const quoted = JSON.stringify(name) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`)
  return operation === 'Update' ? `${quoted} using ${apiVersion}` : quoted
}
