import type { OpenApiSchema } from '../server/resource.ts'
import {
  bool,
  define,
  type GroupVersionKind,
  int32,
  int64,
  json,
  list,
  listMap,
  named,
  type Properties,
  ref,
  set,
  str,
  stringMap,
  strings,
} from './schemaBuilder.ts'

/** Schemas of meta/v1, which every kind is built from (Kubernetes API reference, "Common definitions"). */
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1.'

export const Time = named(`${meta}Time`, {
  type: 'string',
  format: 'date-time',
  nullable: true,
  description: 'A moment in RFC 3339 form, in whole seconds.',
})
const MicroTime = named(`${meta}MicroTime`, {
  type: 'string',
  format: 'date-time',
  nullable: true,
  description: 'A moment in RFC 3339 form, in microseconds.',
})
export const time = (description: string): OpenApiSchema => ref(Time, description)
export const microTime = (description: string): OpenApiSchema => ref(MicroTime, description)

const IntOrString = named('io.k8s.apimachinery.pkg.util.intstr.IntOrString', {
  'x-kubernetes-int-or-string': true,
  description: 'A number, or a string that holds a number, a percentage or a name.',
})
export const intOrString = (description: string): OpenApiSchema => ref(IntOrString, description)

/** Quantities may be written as numbers; the server stores them as strings. */
export const Quantity = named('io.k8s.apimachinery.pkg.api.resource.Quantity', {
  'x-kubernetes-int-or-string': true,
  description: 'An amount with an optional suffix, such as 500m, 2 or 10Gi.',
})
export const quantity = (description: string): OpenApiSchema => ref(Quantity, description)
export const quantityMap = (description: string): OpenApiSchema => ({
  type: 'object',
  description,
  additionalProperties: Quantity,
})

const FieldsV1 = named(`${meta}FieldsV1`, {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  description: 'A set of field paths as a tree: f: names a field, k: a list entry by its keys, v: a set member.',
})

const OwnerReference = define(
  `${meta}OwnerReference`,
  'An object that this object belongs to; it is collected when its last owner is gone.',
  {
    apiVersion: str('API version of the owner.'),
    blockOwnerDeletion: bool('The owner cannot finish a foreground deletion while this object exists.'),
    controller: bool('The owner manages this object; at most one owner does.'),
    kind: str('Kind of the owner.'),
    name: str('Name of the owner.'),
    uid: str('UID of the owner.'),
  },
  { required: ['apiVersion', 'kind', 'name', 'uid'], atomic: true },
)

const ManagedFieldsEntry = define(
  `${meta}ManagedFieldsEntry`,
  'Which fields one manager has set, by which kind of operation.',
  {
    apiVersion: str('Version in which the fields are named.'),
    fieldsType: str('Format of the field set; FieldsV1.'),
    fieldsV1: ref(FieldsV1, 'The fields that the manager owns.'),
    manager: str('Name of the manager.'),
    operation: str('Apply for server-side apply, Update for every other write.'),
    subresource: str('Subresource through which the fields were written; empty for the object itself.'),
    time: time('When the manager last changed a field that it owns.'),
  },
)

export const ObjectMeta = define(`${meta}ObjectMeta`, 'What every stored object has: its name, labels and history.', {
  annotations: stringMap('Free text for tools, by key; not for selection.'),
  creationTimestamp: time('When the server created the object. Read-only.'),
  deletionGracePeriodSeconds: int64('Seconds that the object may take to stop before it is removed. Read-only.'),
  deletionTimestamp: time('When the object is to be gone; set by a delete request. Read-only.'),
  finalizers: set('What must still be done before the object is removed; the last one removed removes it.'),
  generateName: str('Prefix of a name that the server completes when name is not given.'),
  generation: int64('Counts changes of the desired state. Read-only.'),
  labels: stringMap('Key and value pairs by which objects are selected.'),
  managedFields: list(ManagedFieldsEntry, 'Which manager owns which fields; kept by the server.'),
  name: str('Name, unique among the objects of its kind and namespace. Cannot be changed.'),
  namespace: str('Namespace of the object; empty for cluster-wide kinds. Cannot be changed.'),
  ownerReferences: listMap(OwnerReference, ['uid'], 'Objects that this object belongs to.'),
  resourceVersion: str('Changes with each write; used to detect concurrent changes and to resume watches.'),
  selfLink: str('Not used any more.'),
  uid: str('Unique in time and space. Read-only.'),
})

export const ListMeta = define(`${meta}ListMeta`, 'What every list has.', {
  continue: str('Token for the next page; empty when this is the last one.'),
  remainingItemCount: int64('Number of objects after this page, when known.'),
  resourceVersion: str('State of the collection that this list shows.'),
  selfLink: str('Not used any more.'),
})

const LabelSelectorRequirement = define(
  `${meta}LabelSelectorRequirement`,
  'One condition on one label.',
  {
    key: str('Label that the condition is about.'),
    operator: str('In, NotIn, Exists or DoesNotExist.'),
    values: strings('Values for In and NotIn; empty otherwise.'),
  },
  { required: ['key', 'operator'] },
)
export const LabelSelector = define(
  `${meta}LabelSelector`,
  'Selects objects by their labels; all conditions must hold, and an empty selector selects everything.',
  {
    matchExpressions: list(LabelSelectorRequirement, 'Conditions on labels.'),
    matchLabels: stringMap('Labels that must be present with exactly these values.'),
  },
  { atomic: true },
)

export const Condition = define(
  `${meta}Condition`,
  'One observed aspect of an object.',
  {
    lastTransitionTime: time('When the status last changed.'),
    message: str('Details for people.'),
    observedGeneration: int64('Generation of the object that the condition is about.'),
    reason: str('One word for programs.'),
    status: str('True, False or Unknown.'),
    type: str('Which aspect.'),
  },
  { required: ['type', 'status'], zeroed: ['lastTransitionTime', 'reason', 'message'] },
)

const Preconditions = define(`${meta}Preconditions`, 'What must be true of the object for the delete to happen.', {
  resourceVersion: str('Expected resourceVersion.'),
  uid: str('Expected UID.'),
})
export const DeleteOptions = define(`${meta}DeleteOptions`, 'How an object is deleted.', {
  apiVersion: str('Version of this document.'),
  dryRun: strings('All: do everything except storing the result.'),
  gracePeriodSeconds: int64('Seconds that the object may take to stop; 0 removes it at once.'),
  ignoreStoreReadErrorWithClusterBreakingPotential: bool('Delete an object that cannot be read from storage.'),
  kind: str('Kind of this document.'),
  orphanDependents: bool('Old form of propagationPolicy.'),
  preconditions: ref(Preconditions, 'What must be true of the object.'),
  propagationPolicy: str('What happens to dependents: Orphan, Background or Foreground.'),
})

const StatusCause = define(`${meta}StatusCause`, 'One of several reasons of a failure.', {
  field: str('Path of the field that is wrong.'),
  message: str('Details for people.'),
  reason: str('One word for programs.'),
})
const StatusDetails = define(`${meta}StatusDetails`, 'What a failure is about.', {
  causes: list(StatusCause, 'Each thing that is wrong.'),
  group: str('API group of the object.'),
  kind: str('Resource of the object.'),
  name: str('Name of the object.'),
  retryAfterSeconds: int32('Seconds to wait before trying again.'),
  uid: str('UID of the object.'),
})
export const Status = define(
  `${meta}Status`,
  'The answer to a request that returns no object.',
  {
    apiVersion: str('Version of this document.'),
    code: int32('HTTP status code.'),
    details: ref(StatusDetails, 'What the answer is about.'),
    kind: str('Kind of this document.'),
    message: str('Details for people.'),
    metadata: ref(ListMeta, 'List metadata.'),
    reason: str('One word for programs.'),
    status: str('Success or Failure.'),
  },
  { kinds: [{ group: '', version: 'v1', kind: 'Status' }] },
)
export const Patch = named(`${meta}Patch`, { type: 'object', description: 'A partial change of an object.' })
export const WatchEvent = define(
  `${meta}WatchEvent`,
  'One line of a watch.',
  {
    object: json('The object after the change, or a Status.'),
    type: str('ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
  },
  { required: ['type', 'object'] },
)

export interface KindOptions {
  readonly required?: readonly string[]
  readonly open?: boolean
  /** Further kinds that share the definition. */
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The schema of a stored kind: apiVersion, kind and metadata beside its own fields. */
export function kindSchema(
  prefix: string,
  description: string,
  properties: Properties,
  { required, open, group, version, kind }: KindOptions,
): OpenApiSchema {
  const kinds: readonly GroupVersionKind[] = [{ group, version, kind }]
  return define(
    `${prefix}${kind}`,
    description,
    {
      apiVersion: str('Group and version of this document.'),
      kind: str('Kind of this document.'),
      metadata: ref(ObjectMeta, 'Name, labels and history of the object.'),
      ...properties,
    },
    { kinds, ...(required ? { required } : {}), ...(open ? { open } : {}) },
  )
}
