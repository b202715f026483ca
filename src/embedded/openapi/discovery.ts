import { type ResourceDefinition, resourceApiVersion, type Subresource } from '../server/resource.ts'
import { versionsByPriority } from './versionPriority.ts'

/**
 * The discovery documents of the old form (`/api`, `/apis`, `/api/v1`, `/apis/GROUP`, `/apis/GROUP/VERSION`) and of the
 * aggregated form (apidiscovery.k8s.io), see public docs, "The Kubernetes API", "Discovery API".
 */
export type Resources = readonly ResourceDefinition[]

export const apiVersions = () => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '' }],
})

export const apiGroupList = (resources: Resources) => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupsOf(resources).map((group) => groupEntry(resources, group)),
})

export function apiGroup(resources: Resources, group: string) {
  if (group === '' || !resources.some((resource) => resource.group === group)) return undefined
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(resources, group) }
}

export function apiResourceList(resources: Resources, group: string, version: string) {
  const own = resources.filter((resource) => resource.group === group && resource.version === version)
  const [first] = own
  if (!first) return undefined
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: resourceApiVersion(first),
    resources: byPlural(own).flatMap((resource) => [
      {
        name: resource.plural,
        singularName: resource.singular,
        namespaced: resource.namespaced,
        kind: resource.kind,
        verbs: resource.verbs,
        ...listed('shortNames', resource.shortNames),
        ...listed('categories', resource.categories),
      },
      ...(resource.subresources ?? []).map((subresource) => ({
        name: `${resource.plural}/${subresource.name}`,
        singularName: '',
        namespaced: resource.namespaced,
        ...foreignKind(subresource),
        kind: subresource.kind ?? resource.kind,
        verbs: subresource.verbs,
      })),
    ]),
  }
}

/** `/api` holds the core group, `/apis` all others; v2beta1 and v2 differ in their name only. */
export function aggregatedDiscovery(resources: Resources, root: 'api' | 'apis', version: 'v2' | 'v2beta1') {
  const groups = root === 'api' ? [''] : groupsOf(resources)
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map((group) => ({
      metadata: { ...(group === '' ? {} : { name: group }), creationTimestamp: null },
      versions: versionsOf(resources, group).map((served) => ({
        version: served,
        resources: byPlural(
          resources.filter((resource) => resource.group === group && resource.version === served),
        ).map(discoveredResource),
        freshness: 'Current',
      })),
    })),
  }
}

function discoveredResource(resource: ResourceDefinition) {
  const { group, version, kind, subresources = [] } = resource
  return {
    resource: resource.plural,
    responseKind: { group, version, kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...listed('shortNames', resource.shortNames),
    ...listed('categories', resource.categories),
    ...listed(
      'subresources',
      subresources.map((subresource) => ({
        subresource: subresource.name,
        responseKind: {
          group: subresource.group ?? group,
          version: subresource.version ?? version,
          kind: subresource.kind ?? kind,
        },
        verbs: subresource.verbs,
      })),
    ),
  }
}

function groupEntry(resources: Resources, group: string) {
  const versions = versionsOf(resources, group).map((version) => ({ groupVersion: `${group}/${version}`, version }))
  return { name: group, versions, preferredVersion: versions[0] }
}

/** In the order in which the registry lists them: built-in groups first. */
const groupsOf = (resources: Resources): readonly string[] =>
  [...new Set(resources.map((resource) => resource.group))].filter((group) => group !== '')

const versionsOf = (resources: Resources, group: string): readonly string[] =>
  versionsByPriority(resources.filter((resource) => resource.group === group).map((resource) => resource.version))

const byPlural = (resources: Resources): Resources =>
  [...resources].sort((a, b) => (a.plural < b.plural ? -1 : a.plural > b.plural ? 1 : 0))

function listed<Name extends string>(name: Name, values: readonly unknown[] | undefined) {
  return values && values.length > 0 ? { [name]: values } : {}
}

/** A subresource of another kind says where that kind lives. */
const foreignKind = ({ group, version }: Subresource) => (version === undefined ? {} : { group: group ?? '', version })
