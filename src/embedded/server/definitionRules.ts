import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../../api/apiextensions.ts'
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../schema/fieldError.ts'
import type { JSONSchemaProps } from '../../schema/jsonSchemaProps.ts'
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../schema/names.ts'
import { schemaShapeErrors } from '../../schema/schemaShape.ts'
import { structuralErrors } from '../../schema/structuralRules.ts'
import { compileSchema } from '../../schema/structuralSchema.ts'
import { isEstablished } from './customResources.ts'

/** What is wrong with a definition beyond its schema (apiextensions.k8s.io/v1 CustomResourceDefinitionSpec). */
export function definitionErrors(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  const { spec, metadata } = definition
  const fullName = `${spec.names.plural}.${spec.group}`
  const wrongName = invalid('metadata.name', metadata.name ?? '', 'must be spec.names.plural+"."+spec.group')
  return [
    ...(metadata.name === fullName ? [] : [wrongName]),
    ...groupErrors(spec.group),
    ...(['Cluster', 'Namespaced'].includes(spec.scope)
      ? []
      : [notSupported('spec.scope', spec.scope, ['Cluster', 'Namespaced'])]),
    ...nameErrors(definition),
    ...versionListErrors(definition),
    ...spec.versions.flatMap((version, index) => versionErrors(version, `spec.versions[${index}]`)),
    ...(spec.conversion?.strategy === 'Webhook' ? [notSupported('spec.conversion.strategy', 'Webhook', ['None'])] : []),
    ...(spec.preserveUnknownFields
      ? [
          invalid(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
    ...(old ? changeErrors(definition, old) : []),
  ]
}

/** Objects are stored under what these fields say: once a kind is served, they stay. */
function changeErrors({ spec }: CustomResourceDefinition, old: CustomResourceDefinition): readonly FieldError[] {
  const immutable = (field: string, value: string, before: string) =>
    value === before ? [] : [invalid(field, value, 'field is immutable')]
  const names = new Set(spec.versions.map(({ name }) => name))
  const lost = (old.status?.storedVersions ?? []).filter((version) => !names.has(version))
  return [
    ...(isEstablished(old)
      ? [
          ...immutable('spec.scope', spec.scope, old.spec.scope),
          ...immutable('spec.names.kind', spec.names.kind, old.spec.names.kind),
        ]
      : []),
    ...lost.map((version) =>
      invalid(
        `status.storedVersions[${(old.status?.storedVersions ?? []).indexOf(version)}]`,
        version,
        `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`,
      ),
    ),
  ]
}

function groupErrors(group: string): readonly FieldError[] {
  return group.includes('.')
    ? dns1123SubdomainErrors(group).map((why) => invalid('spec.group', group, why))
    : [invalid('spec.group', group, 'should be a domain with at least one dot')]
}

function nameErrors({ spec: { names } }: CustomResourceDefinition): readonly FieldError[] {
  const label = (field: string, value: string) =>
    dns1035LabelErrors(value.toLowerCase()).map((why) => invalid(`spec.names.${field}`, value, why))
  const lower = (field: string, value: string) =>
    dns1035LabelErrors(value).map((why) => invalid(`spec.names.${field}`, value, why))
  return [
    ...lower('plural', names.plural),
    ...lower('singular', names.singular ?? names.kind.toLowerCase()),
    ...label('kind', names.kind),
    ...label('listKind', names.listKind ?? `${names.kind}List`),
    ...(names.listKind === names.kind
      ? [invalid('spec.names.listKind', names.listKind, 'kind and listKind may not be the same')]
      : []),
    ...(names.shortNames ?? []).flatMap((name, index) => lower(`shortNames[${index}]`, name)),
    ...(names.categories ?? []).flatMap((name, index) => lower(`categories[${index}]`, name)),
  ]
}

function versionListErrors({ spec: { versions } }: CustomResourceDefinition): readonly FieldError[] {
  if (versions.length === 0) return [required('spec.versions', 'must have at least one version')]
  const names = versions.map(({ name }) => name)
  const one = versions.filter(({ storage }) => storage).length === 1
  return [
    ...names.flatMap((name, index) =>
      names.indexOf(name) < index ? [duplicate(`spec.versions[${index}].name`, name)] : [],
    ),
    ...(one ? [] : [invalid('spec.versions', undefined, 'must have exactly one version marked as storage version')]),
  ]
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']

function versionErrors(version: CustomResourceDefinitionVersion, field: string): readonly FieldError[] {
  const { name, schema, additionalPrinterColumns = [], subresources } = version
  const starts = (path: string, prefix: string, place: string) =>
    path.startsWith(prefix) ? [] : [invalid(place, path, `should be a json path under ${prefix.replace(/\.$/, '')}`)]
  const scale = `${field}.subresources.scale`
  return [
    ...dns1035LabelErrors(name).map((why) => invalid(`${field}.name`, name, why)),
    ...additionalPrinterColumns.flatMap(({ type, jsonPath }, index) => [
      ...(columnTypes.includes(type)
        ? []
        : [
            invalid(
              `${field}.additionalPrinterColumns[${index}].type`,
              type,
              `must be one of ${columnTypes.join(',')}`,
            ),
          ]),
      ...(jsonPath.startsWith('.')
        ? []
        : [
            invalid(
              `${field}.additionalPrinterColumns[${index}].jsonPath`,
              jsonPath,
              'must be a simple json path starting with .',
            ),
          ]),
    ]),
    ...(subresources?.scale
      ? [
          ...starts(subresources.scale.specReplicasPath, '.spec.', `${scale}.specReplicasPath`),
          ...starts(subresources.scale.statusReplicasPath, '.status.', `${scale}.statusReplicasPath`),
        ]
      : []),
    ...schemaErrors(schema?.openAPIV3Schema, `${field}.schema.openAPIV3Schema`),
  ]
}

function schemaErrors(schema: JSONSchemaProps | undefined, field: string): readonly FieldError[] {
  if (!schema) return [required(field, 'schemas are required')]
  if (Object.hasOwn(schema, '$ref')) return [forbidden(`${field}.$ref`, '$ref is not supported')]
  const misshapen = schemaShapeErrors(schema, field)
  const errors = misshapen.length > 0 ? misshapen : structuralErrors(schema, field)
  if (errors.length > 0) return errors
  try {
    compileSchema(schema)
    return []
  } catch (error) {
    // Compiling throws for a CEL rule that does not parse: the author's mistake, told with the parser's words.
    return [invalid(field, '', error instanceof Error ? error.message : String(error))]
  }
}
