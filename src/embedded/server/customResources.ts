import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
} from '../../api/apiextensions.ts'
import {
  allVerbs,
  type OpenApiSchema,
  type ResourceDefinition,
  type SelectableField,
  type Subresource,
} from './resource.ts'

/** What a CustomResourceDefinition serves: one resource per served version; none before its names are accepted. */
export function definitionToResources(definition: CustomResourceDefinition): readonly ResourceDefinition[] {
  if (!isEstablished(definition)) return []
  const { group, names, scope, versions } = definition.spec
  return versions
    .filter((version) => version.served)
    .map((version) => ({
      group,
      version: version.name,
      kind: names.kind,
      listKind: names.listKind ?? `${names.kind}List`,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      ...(names.shortNames ? { shortNames: names.shortNames } : {}),
      ...(names.categories ? { categories: names.categories } : {}),
      namespaced: scope === 'Namespaced',
      verbs: allVerbs,
      subresources: subresourcesOf(version),
      storageVersion: version.storage,
      ...(version.deprecated
        ? { deprecated: { warning: version.deprecationWarning ?? deprecation(definition, version.name) } }
        : {}),
      ...(version.schema?.openAPIV3Schema ? { schema: version.schema.openAPIV3Schema as OpenApiSchema } : {}),
      ...(version.additionalPrinterColumns ? { columns: version.additionalPrinterColumns } : {}),
      selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => selectableField(jsonPath)),
      tracksGeneration: true,
      custom: true,
      definedAt: Number(definition.metadata.resourceVersion ?? 0),
    }))
}

export const isEstablished = (definition: CustomResourceDefinition): boolean =>
  definition.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false

const mainVerbs = ['get', 'patch', 'update'] as const

function subresourcesOf({ subresources }: CustomResourceDefinitionVersion): readonly Subresource[] {
  const { status, scale } = subresources ?? {}
  return [
    ...(status ? [{ name: 'status', verbs: mainVerbs }] : []),
    ...(scale
      ? [
          {
            name: 'scale',
            group: 'autoscaling',
            version: 'v1',
            kind: 'Scale',
            verbs: mainVerbs,
            scalePaths: {
              spec: scale.specReplicasPath,
              status: scale.statusReplicasPath,
              ...(scale.labelSelectorPath ? { selector: scale.labelSelectorPath } : {}),
            },
          },
        ]
      : []),
  ]
}

const deprecation = ({ spec }: CustomResourceDefinition, version: string): string =>
  `${spec.group}/${version} ${spec.names.kind} is deprecated`

/** `.spec.pool` is selected as `spec.pool`. */
function selectableField(jsonPath: string): SelectableField {
  const label = jsonPath.replace(/^\./, '')
  const path = label.split('.')
  return {
    label,
    value(object) {
      let value: unknown = object
      for (const member of path) value = isRecord(value) ? value[member] : undefined
      return value === undefined || value === null ? '' : String(value)
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/**
 * The definition with its status as the API server's controllers would leave it, at once: names are accepted unless
 * another definition of the group has them, accepted names establish the kind, storage versions accumulate.
 */
export function withDefinitionStatus(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  now: string,
): CustomResourceDefinition {
  const { spec, status: old } = definition
  const clash = nameClash(definition, others)
  const stored = spec.versions.filter((version) => version.storage).map((version) => version.name)
  const established = clash === undefined
  const condition = (type: string, holds: boolean, reason: string, message: string) => {
    const status = holds ? ('True' as const) : ('False' as const)
    const before = old?.conditions?.find((each) => each.type === type)
    const lastTransitionTime = before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now
    return { type, status, lastTransitionTime, reason, message }
  }
  const kept = (old?.conditions ?? []).filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established')
  return {
    ...definition,
    status: {
      ...old,
      conditions: [
        established
          ? condition('NamesAccepted', true, 'NoConflicts', 'no conflicts found')
          : condition('NamesAccepted', false, clash.reason, clash.message),
        established
          ? condition('Established', true, 'InitialNamesAccepted', 'the initial names have been accepted')
          : condition('Established', false, 'NotAccepted', 'not all names are accepted'),
        ...kept,
      ],
      acceptedNames: established ? withDefaults(spec.names) : (old?.acceptedNames ?? { plural: '', kind: '' }),
      storedVersions: [...new Set([...(old?.storedVersions ?? []), ...stored])],
    },
  }
}

const withDefaults = (names: CustomResourceDefinitionNames): CustomResourceDefinitionNames => ({
  ...names,
  listKind: names.listKind ?? `${names.kind}List`,
  singular: names.singular ?? names.kind.toLowerCase(),
})

/** The last of the names that another definition of the group has, with the reason that the API server gives for it. */
function nameClash(definition: CustomResourceDefinition, others: readonly CustomResourceDefinition[]) {
  const { group, names } = definition.spec
  const accepted = others
    .filter((other) => other.metadata.name !== definition.metadata.name && other.spec.group === group)
    .filter(isEstablished)
    .map((other) => withDefaults(other.spec.names))
  const resources = new Set(accepted.flatMap((other) => [other.plural, other.singular, ...(other.shortNames ?? [])]))
  const kinds = new Set(accepted.flatMap((other) => [other.kind, other.listKind]))
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = withDefaults(names)
  const clashes = [
    ...[plural].filter((name) => resources.has(name)).map((name) => ({ reason: 'PluralConflict', name })),
    ...[singular].filter((name) => resources.has(name)).map((name) => ({ reason: 'SingularConflict', name })),
    ...shortNames.filter((name) => resources.has(name)).map((name) => ({ reason: 'ShortNamesConflict', name })),
    ...[kind].filter((name) => kinds.has(name)).map((name) => ({ reason: 'KindConflict', name })),
    ...[listKind].filter((name) => kinds.has(name)).map((name) => ({ reason: 'ListKindConflict', name })),
  ]
  const last = clashes.at(-1)
  return last && { reason: last.reason, message: `${JSON.stringify(last.name)} is already in use` }
}
