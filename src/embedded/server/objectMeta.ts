import { type ObjectMeta, objectMetaMembers } from '../../api/meta.ts'
import type { FieldProblem } from './resource.ts'

export interface NewIdentity {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly creationTimestamp: string
  readonly generation: number | undefined
}

/** What the server decides about a new object; the client's own uid, times, generation and version never count. */
export function metadataForCreate(given: ObjectMeta, identity: NewIdentity): ObjectMeta {
  return present({
    name: identity.name,
    generateName: given.generateName === '' ? undefined : given.generateName,
    namespace: identity.namespace === '' ? undefined : identity.namespace,
    uid: identity.uid,
    generation: identity.generation,
    creationTimestamp: identity.creationTimestamp,
    ...settable(given),
  })
}

/** What an update may change (labels, annotations, owners, finalizers); the rest stays as it is. */
export function metadataForUpdate(given: ObjectMeta, old: ObjectMeta): ObjectMeta {
  return present({ ...onlyKnown(old), ...emptied, ...settable(given) })
}

const emptied = {
  labels: undefined,
  annotations: undefined,
  ownerReferences: undefined,
  finalizers: undefined,
  managedFields: undefined,
}

function settable(given: ObjectMeta) {
  return {
    labels: nonEmpty(given.labels),
    annotations: nonEmpty(given.annotations),
    ownerReferences: given.ownerReferences?.length ? given.ownerReferences : undefined,
    finalizers: given.finalizers?.length ? given.finalizers : undefined,
    managedFields: given.managedFields?.length ? given.managedFields : undefined,
  }
}

const nonEmpty = (map: Readonly<Record<string, string>> | undefined | null) =>
  map && Object.keys(map).length > 0 ? map : undefined

function onlyKnown(metadata: ObjectMeta): ObjectMeta {
  return Object.fromEntries(
    objectMetaMembers.filter((key) => metadata[key] !== undefined).map((key) => [key, metadata[key]]),
  )
}

/** Absent means absent: a member that is undefined would differ from a stored one in comparisons. */
function present(metadata: { readonly [Key in keyof ObjectMeta]: ObjectMeta[Key] | undefined }): ObjectMeta {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== undefined && value !== null))
}

/** Finalizers may only go away once deletion has begun. */
export function finalizerProblems(metadata: ObjectMeta, old: ObjectMeta): readonly FieldProblem[] {
  if (old.deletionTimestamp === undefined) return []
  const before = new Set(old.finalizers ?? [])
  const added = (metadata.finalizers ?? []).filter((finalizer) => !before.has(finalizer))
  if (added.length === 0) return []
  const shown = `[]string{${added.map((finalizer) => JSON.stringify(finalizer)).join(', ')}}`
  return [
    {
      reason: 'FieldValueForbidden',
      field: 'metadata.finalizers',
      message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
    },
  ]
}
