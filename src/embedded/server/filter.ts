import {
  type FieldRequirement,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from '../../api/selectors.ts'
import type { Entry } from '../store/entry.ts'
import type { ApiObject, ResourceDefinition, SelectableField } from './resource.ts'
import { served } from './served.ts'
import { badRequest } from './statusError.ts'

/** Which objects of a collection a list or watch is about. */
export interface Filter {
  readonly namespace: string
  /** No selector at all: counting is then the same as listing. */
  readonly selectsAll: boolean
  /** A field that every match has at this value: watches are found by it instead of asked one by one. */
  readonly required?: { readonly field: SelectableField; readonly value: string }
  matches(entry: Entry): boolean
}

const metadataName: SelectableField = { label: 'metadata.name', value: (object) => object.metadata.name ?? '' }
const metadataNamespace: SelectableField = {
  label: 'metadata.namespace',
  value: (object) => object.metadata.namespace ?? '',
}

export function parseFilter(
  resource: ResourceDefinition,
  where: { readonly namespace: string; readonly name: string },
  selectors: { readonly labelSelector: string; readonly fieldSelector: string },
): Filter {
  const labels = parseLabelSelector(selectors.labelSelector)
  if ('error' in labels) throw badRequest(labels.error)
  const fields = parseFieldSelector(selectors.fieldSelector)
  if ('error' in fields) throw badRequest(fields.error)
  const byLabel = selectable(resource)
  const named = where.name === '' ? [] : [{ field: 'metadata.name', operator: '=' as const, value: where.name }]
  const requirements: readonly FieldRequirement[] = [...named, ...fields.value]
  for (const { field } of requirements) if (!byLabel.has(field)) throw unknownField(resource, field, byLabel)

  const hasLabels = labels.value.kind === 'nothing' || labels.value.requirements.length > 0
  const fieldsOf = (object: ApiObject) => (label: string) => byLabel.get(label)?.value(object) ?? ''
  const required = requirements
    .filter(({ operator }) => operator === '=')
    .map(({ field, value }) => ({ field: byLabel.get(field) ?? metadataName, value }))[0]
  return {
    namespace: where.namespace,
    selectsAll: !hasLabels && requirements.length === 0,
    ...(required ? { required } : {}),
    matches(entry) {
      if (where.namespace !== '' && entry.path.namespace !== where.namespace) return false
      if (requirements.length > 0 && !matchesFields(requirements, fieldsOf(served(resource, entry).object)))
        return false
      return !hasLabels || matchesLabels(labels.value, entry.object.metadata.labels)
    },
  }
}

function selectable(resource: ResourceDefinition): ReadonlyMap<string, SelectableField> {
  const fields = [
    metadataName,
    ...(resource.namespaced ? [metadataNamespace] : []),
    ...(resource.selectableFields ?? []),
  ]
  return new Map(fields.map((field) => [field.label, field]))
}

function unknownField(resource: ResourceDefinition, field: string, known: ReadonlyMap<string, SelectableField>) {
  if (!resource.custom) return badRequest(`field label not supported: ${field}`)
  const labels = [...known.keys()].map((label) => JSON.stringify(label)).join(', ')
  return badRequest(`${JSON.stringify(field)} is not a known field selector: only ${labels}`)
}
