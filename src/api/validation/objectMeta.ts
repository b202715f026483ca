import { deepEqual } from '../../schema/deepEqual.ts'
import { type FieldError, forbidden, invalid, required, tooLong } from '../../schema/fieldError.ts'
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../schema/names.ts'
import type { ObjectMeta, OwnerReference } from '../meta.ts'

/** The rules that a kind's names follow; most kinds use DNS subdomains. */
export type NameRule = (name: string) => readonly string[]

export interface ObjectMetaRules {
  readonly namespaced: boolean
  readonly nameErrors?: NameRule
}

const annotationBytesLimit = 256 * 1024

/** What is wrong with the metadata of a new object (Kubernetes API conventions, "Metadata"). */
export function validateObjectMeta(
  meta: ObjectMeta,
  { namespaced, nameErrors = dns1123SubdomainErrors }: ObjectMetaRules,
): readonly FieldError[] {
  return [
    ...nameFieldErrors(meta, nameErrors),
    ...namespaceFieldErrors(meta.namespace ?? '', namespaced),
    ...labelErrors(meta.labels ?? {}, 'metadata.labels'),
    ...annotationErrors(meta.annotations ?? {}),
    ...ownerErrors(meta.ownerReferences ?? []),
    ...(meta.finalizers ?? []).flatMap((finalizer, index) =>
      finalizerErrors(finalizer, `metadata.finalizers[${index}]`),
    ),
  ]
}

/** What is wrong with a change of metadata; the new metadata must be valid by itself too. */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const added = (meta.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer))
  return [
    ...immutableMembers
      .filter((name) => !deepEqual(meta[name], old[name]))
      .map((name) => invalid(`metadata.${name}`, meta[name] ?? null, 'field is immutable')),
    ...((meta.generation ?? 0) < (old.generation ?? 0)
      ? [invalid('metadata.generation', meta.generation ?? 0, 'must not be decremented')]
      : []),
    ...(old.deletionTimestamp !== undefined && added.length > 0
      ? [
          forbidden(
            'metadata.finalizers',
            `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
          ),
        ]
      : []),
  ]
}

const immutableMembers = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

function nameFieldErrors({ name = '', generateName = '' }: ObjectMeta, nameErrors: NameRule): readonly FieldError[] {
  // A generated name ends with random characters, so a dash at the end of its prefix is fine.
  const prefix = generateName.replace(/-$/, '')
  return [
    ...(generateName === '' || prefix === ''
      ? []
      : nameErrors(prefix).map((error) => invalid('metadata.generateName', generateName, error))),
    ...(name === ''
      ? [required('metadata.name', 'name or generateName is required')]
      : nameErrors(name).map((error) => invalid('metadata.name', name, error))),
  ]
}

function namespaceFieldErrors(namespace: string, namespaced: boolean): readonly FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden('metadata.namespace', 'not allowed on this type')]
  if (namespace === '') return [required('metadata.namespace')]
  return dns1123LabelErrors(namespace).map((error) => invalid('metadata.namespace', namespace, error))
}

function labelErrors(labels: Readonly<Record<string, string>>, path: string): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((error) => invalid(path, key, error)),
    ...labelValueErrors(value).map((error) => invalid(path, value, error)),
  ])
}

function annotationErrors(annotations: Readonly<Record<string, string>>): readonly FieldError[] {
  const path = 'metadata.annotations'
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  return [
    ...Object.keys(annotations).flatMap((key) =>
      qualifiedNameErrors(key.toLowerCase()).map((error) => invalid(path, key, error)),
    ),
    ...(bytes > annotationBytesLimit ? [tooLong(path, annotationBytesLimit)] : []),
  ]
}

function ownerErrors(owners: readonly OwnerReference[]): readonly FieldError[] {
  const path = 'metadata.ownerReferences'
  const controllers = owners.filter(({ controller }) => controller === true)
  const [first, second] = controllers
  return [
    ...owners.flatMap((owner, index) =>
      ownerMembers
        .filter(([name]) => (owner[name] ?? '') === '')
        .map(([name, what]) => invalid(`${path}[${index}].${name}`, owner[name] ?? '', `${what} must not be empty`)),
    ),
    ...(first && second
      ? [
          invalid(
            path,
            controllers.length,
            `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`,
          ),
        ]
      : []),
  ]
}

const ownerMembers = [
  ['apiVersion', 'version'],
  ['kind', 'kind'],
  ['name', 'name'],
  ['uid', 'uid'],
] as const

const standardFinalizers: ReadonlySet<string> = new Set([
  'orphan',
  'foregroundDeletion',
  'kubernetes',
  // The API server's own, on every CustomResourceDefinition.
  'customresourcecleanup.apiextensions.k8s.io',
])

function finalizerErrors(finalizer: string, path: string): readonly FieldError[] {
  const errors = qualifiedNameErrors(finalizer).map((error) => invalid(path, finalizer, error))
  if (errors.length > 0 || finalizer.includes('/') || standardFinalizers.has(finalizer)) return errors
  return [invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')]
}
