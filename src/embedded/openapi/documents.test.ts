import { describe, expect, it } from 'vitest'
import { builtinResources } from '../builtins/resources.ts'
import { allVerbs, type ResourceDefinition } from '../server/resource.ts'
import { StatusError } from '../server/statusError.ts'
import { ApiDocuments, aggregatedVersion } from './documents.ts'

const widget: ResourceDefinition = {
  group: 'stable.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  namespaced: true,
  verbs: allVerbs,
  custom: true,
  schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer', nullable: true },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
        },
      },
    },
  },
}

class Source {
  generation = 1
  resources: readonly ResourceDefinition[] = [...builtinResources, widget]
  all() {
    return this.resources
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

function ask(
  documents: ApiDocuments,
  url: string,
  accept = 'application/json',
  ifNoneMatch?: string,
): Answer | undefined {
  const { pathname, searchParams } = new URL(url, 'http://server')
  const answer = documents.answer({
    path: pathname,
    query: searchParams,
    accept,
    ...(ifNoneMatch ? { ifNoneMatch } : {}),
  })
  if (!answer) return undefined
  if (!(answer.body instanceof Uint8Array)) throw new Error('a document is bytes')
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(answer.body) }
}

interface Swagger {
  readonly definitions: Readonly<Record<string, { readonly properties?: Readonly<Record<string, unknown>> }>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const json = <T>(answer: Answer | undefined): T => JSON.parse(answer?.bytes.toString('utf8') ?? 'null') as T

describe('aggregatedVersion', () => {
  it.each([
    ['application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json', 'v2'],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json', 'v2beta1'],
    ['application/json, application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList', undefined],
    ['*/*', undefined],
    ['', undefined],
  ])('of Accept %s is %s', (accept, expected) => {
    expect(aggregatedVersion(accept)).toBe(expected)
  })
})

describe('ApiDocuments', () => {
  const documents = new ApiDocuments(new Source())

  it('serves discovery in the form that the client prefers', () => {
    expect(json(ask(documents, '/api'))).toMatchObject({ kind: 'APIVersions', versions: ['v1'] })
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'
    const aggregated = ask(documents, '/apis', accept)
    expect(aggregated?.headers['content-type']).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    )
    expect(json(aggregated)).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' })
    expect(json(ask(documents, '/apis/apps'))).toMatchObject({ kind: 'APIGroup', name: 'apps' })
    expect(json(ask(documents, '/apis/apps/v1'))).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' })
    expect(ask(documents, '/apis/apps/v9')).toBeUndefined()
    expect(ask(documents, '/api/v1/pods')).toBeUndefined()
  })

  it('answers 304 to a client that has the document', () => {
    const etag = ask(documents, '/apis')?.headers.etag
    expect(ask(documents, '/apis', 'application/json', etag)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
  })

  it('refers only to definitions that the document holds', () => {
    const texts = [
      ask(documents, '/openapi/v2')?.bytes.toString(),
      ...Object.keys(json<{ paths: object }>(ask(documents, '/openapi/v3')).paths).map((path) =>
        ask(documents, `/openapi/v3/${path}`)?.bytes.toString(),
      ),
    ]
    expect(texts.length).toBeGreaterThan(10)
    for (const text of texts) {
      const refs = new Set([...(text ?? '').matchAll(/"\$ref":"#\/(?:definitions|components\/schemas)\/([^"]+)"/g)])
      const held = [...refs].map(([, name]) => name ?? '').filter((name) => !text?.includes(`"${name}":{`))
      expect(held).toEqual([])
    }
  })

  it('describes merge keys, kinds and patch parameters for kubectl', () => {
    const swagger = json<Swagger>(ask(documents, '/openapi/v2'))
    expect(swagger.definitions['io.k8s.api.core.v1.PodSpec']?.properties?.containers).toMatchObject({
      type: 'array',
      items: { $ref: '#/definitions/io.k8s.api.core.v1.Container' },
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    })
    expect(swagger.definitions['io.k8s.api.core.v1.Pod']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
    })
    expect(swagger.paths['/api/v1/namespaces/{namespace}/pods/{name}']?.patch).toMatchObject({
      'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Pod' },
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'dryRun', in: 'query' }),
        expect.objectContaining({ name: 'fieldValidation', in: 'query' }),
      ]),
    })
  })

  it('publishes a custom resource under its reversed group, without what Swagger cannot say', () => {
    const swagger = json<Swagger>(ask(documents, '/openapi/v2'))
    const { properties } = swagger.definitions['com.example.stable.v1.Widget'] ?? {}
    expect(properties?.spec).toEqual({
      type: 'object',
      properties: {
        size: {},
        port: { 'x-kubernetes-int-or-string': true },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    })
    expect(properties?.metadata).toMatchObject({
      $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    })
  })

  it('tells clients in both documents that custom resources take no strategic merge', () => {
    const swagger = json<{ paths: Record<string, { patch: { consumes: readonly string[] } }> }>(
      ask(documents, '/openapi/v2'),
    )
    const typesOf = (group: string, path: string) => {
      const document = json<{ paths: Record<string, { patch: { requestBody: { content: object } } }> }>(
        ask(documents, `/openapi/v3/${group}`),
      )
      return [
        Object.keys(document.paths[path]?.patch.requestBody.content ?? {}),
        [...(swagger.paths[path]?.patch.consumes ?? [])],
      ]
    }
    const strategic = 'application/strategic-merge-patch+json'
    const all = [
      'application/json-patch+json',
      'application/merge-patch+json',
      strategic,
      'application/apply-patch+yaml',
    ]
    expect(typesOf('api/v1', '/api/v1/nodes/{name}')).toEqual([all, all])
    expect(typesOf('api/v1', '/api/v1/nodes/{name}/status')).toEqual([all, all])
    const custom = '/apis/stable.example.com/v1/namespaces/{namespace}/widgets/{name}'
    const withoutStrategic = all.filter((type) => type !== strategic)
    expect(typesOf('apis/stable.example.com/v1', custom)).toEqual([withoutStrategic, withoutStrategic])
  })

  it('names group documents by their content', () => {
    const index = json<{ paths: Record<string, { serverRelativeURL: string }> }>(ask(documents, '/openapi/v3'))
    const url = index.paths['apis/stable.example.com/v1']?.serverRelativeURL ?? ''
    expect(url).toMatch(/^\/openapi\/v3\/apis\/stable\.example\.com\/v1\?hash=[0-9A-F]{64}$/)
    expect(ask(documents, url)?.headers['cache-control']).toContain('immutable')
    expect(ask(documents, '/openapi/v3/apis/stable.example.com/v1?hash=00')).toMatchObject({
      status: 301,
      headers: { location: url },
    })
    expect(json(ask(documents, url))).toMatchObject({ openapi: '3.0.0' })
  })

  it('builds a document once for each generation of the registry', () => {
    const source = new Source()
    const own = new ApiDocuments(source)
    const first = ask(own, '/apis')?.headers.etag
    source.resources = builtinResources
    expect(ask(own, '/apis')?.headers.etag).toBe(first)
    source.generation += 1
    expect(ask(own, '/apis')?.headers.etag).not.toBe(first)
  })

  it('gives kubectl the protobuf form and refuses what it cannot write', () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const answer = ask(documents, '/openapi/v2', accept)
    expect(answer?.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
    // Field 1, length 3: swagger "2.0".
    expect(answer?.bytes.subarray(0, 5)).toEqual(Buffer.from([0x0a, 3, 0x32, 0x2e, 0x30]))
    expect(() => ask(documents, '/openapi/v2', 'text/html')).toThrow(StatusError)
  })
})
