import { describe, expect, it } from 'vitest'
import { builtinResources } from '../builtins/resources.ts'
import { allVerbs, type ResourceDefinition } from '../server/resource.ts'
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList } from './discovery.ts'
import { versionsByPriority } from './versionPriority.ts'

const custom = (version: string): ResourceDefinition => ({
  group: 'example.com',
  version,
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd'],
  namespaced: true,
  verbs: allVerbs,
  subresources: [{ name: 'status', verbs: ['get', 'patch', 'update'] }],
  custom: true,
})
const resources = [...builtinResources, custom('v1beta1'), custom('v1')]

describe('versionsByPriority', () => {
  it('puts stable before beta before alpha, newer first, others last', () => {
    const mixed = ['v1alpha1', 'foo1', 'v2', 'v10beta3', 'v1', 'v3beta1', 'v11alpha2', 'v10', 'foo10', 'v2']
    expect(versionsByPriority(mixed)).toEqual([
      'v10',
      'v2',
      'v1',
      'v10beta3',
      'v3beta1',
      'v11alpha2',
      'v1alpha1',
      'foo1',
      'foo10',
    ])
  })
})

describe('discovery', () => {
  it('lists groups without the core group, and prefers the best version', () => {
    const { groups } = apiGroupList(resources)
    expect(groups.map((group) => group.name)).not.toContain('')
    expect(groups.find((group) => group.name === 'example.com')).toEqual({
      name: 'example.com',
      versions: [
        { groupVersion: 'example.com/v1', version: 'v1' },
        { groupVersion: 'example.com/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
    })
    expect(apiGroup(resources, 'nobody.example')).toBeUndefined()
  })

  it('lists a resource and its subresources with the kinds of their bodies', () => {
    const list = apiResourceList(resources, '', 'v1')
    const entries = list?.resources.filter(({ name }) => ['pods', 'pods/eviction', 'pods/status'].includes(name))
    expect(list?.groupVersion).toBe('v1')
    expect(entries).toEqual([
      {
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs: allVerbs,
        shortNames: ['po'],
        categories: ['all'],
      },
      {
        name: 'pods/eviction',
        singularName: '',
        namespaced: true,
        group: 'policy',
        version: 'v1',
        kind: 'Eviction',
        verbs: ['create'],
      },
      { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get', 'patch', 'update'] },
    ])
    expect(apiResourceList(resources, 'apps', 'v2')).toBeUndefined()
  })

  it('aggregates the core group under /api and all others under /apis', () => {
    const core = aggregatedDiscovery(resources, 'api', 'v2')
    expect(core.items.map((item) => item.metadata)).toEqual([{ creationTimestamp: null }])
    const others = aggregatedDiscovery(resources, 'apis', 'v2beta1')
    expect(others.apiVersion).toBe('apidiscovery.k8s.io/v2beta1')
    expect(others.items.find((item) => item.metadata.name === 'example.com')?.versions).toMatchObject([
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'widgets',
            responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
            scope: 'Namespaced',
            singularResource: 'widget',
            shortNames: ['wd'],
            subresources: [
              { subresource: 'status', responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' } },
            ],
          },
        ],
      },
      { version: 'v1beta1' },
    ])
  })
})
