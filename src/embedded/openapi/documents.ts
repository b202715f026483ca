import { createHash } from 'node:crypto'
import type { ApiResponse } from '../server/apiRequest.ts'
import type { ResourceDefinition } from '../server/resource.ts'
import { notAcceptable } from '../server/statusError.ts'
import { definitionsFor } from './definitions.ts'
import { aggregatedDiscovery, apiGroup, apiGroupList, apiResourceList, apiVersions } from './discovery.ts'
import { pathsFor } from './paths.ts'
import { encodeSwagger } from './swaggerProtobuf.ts'

/** The part of the registry that documents depend on. `generation` rises with every change of the resources. */
export interface ResourceSource {
  readonly generation: number
  all(): readonly ResourceDefinition[]
}

export interface DocumentRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string
  readonly ifNoneMatch?: string
}

/**
 * Answers for discovery and OpenAPI paths. Each document is built and serialised once per generation of the registry
 * and then served from the same bytes. `answer` gives undefined for paths that are not documents.
 */
export class ApiDocuments {
  readonly #source: ResourceSource
  readonly #title: string
  readonly #version: string
  #generation = -1
  #resources: readonly ResourceDefinition[] = []
  readonly #built = new Map<string, Document | undefined>()

  constructor(source: ResourceSource, { title = 'Kubernetes', version = 'unversioned' } = {}) {
    this.#source = source
    this.#title = title
    this.#version = version
  }

  answer({ path, query, accept, ifNoneMatch }: DocumentRequest): ApiResponse | undefined {
    this.#refresh()
    const segments = path.split('/').filter((segment) => segment !== '')
    switch (segments[0]) {
      case 'api':
      case 'apis':
        return this.#discovery(segments[0], segments.slice(1), accept, ifNoneMatch)
      case 'openapi':
        if (segments[1] === 'v2' && segments.length === 2) return this.#swagger(accept, ifNoneMatch)
        if (segments[1] === 'v3') return this.#openApi(segments.slice(2).join('/'), query, accept)
        return undefined
      default:
        return undefined
    }
  }

  #refresh(): void {
    if (this.#source.generation === this.#generation) return
    this.#generation = this.#source.generation
    this.#resources = this.#source.all()
    this.#built.clear()
  }

  #discovery(
    root: 'api' | 'apis',
    rest: readonly string[],
    accept: string,
    ifNoneMatch: string | undefined,
  ): ApiResponse | undefined {
    if (rest.length === 0) {
      const version = aggregatedVersion(accept)
      const document = version
        ? this.#json(`${root} ${version}`, () => aggregatedDiscovery(this.#resources, root, version))
        : this.#json(root, () => (root === 'api' ? apiVersions() : apiGroupList(this.#resources)))
      const type = version
        ? `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
        : 'application/json'
      return document && respond(document, type, ifNoneMatch, { vary: 'Accept' })
    }
    const [group = '', version, ...more] = root === 'api' ? ['', ...rest] : rest
    if (more.length > 0) return undefined
    const document = this.#json(`${root}/${rest.join('/')}`, () =>
      version === undefined ? apiGroup(this.#resources, group) : apiResourceList(this.#resources, group, version),
    )
    return document && respond(document, 'application/json', ifNoneMatch)
  }

  #swagger(accept: string, ifNoneMatch: string | undefined): ApiResponse {
    const swagger = () => ({
      swagger: '2.0',
      info: { title: this.#title, version: this.#version },
      paths: pathsFor(this.#resources, 'v2'),
      definitions: definitionsFor(this.#resources, 'v2'),
    })
    const types = acceptedTypes(accept)
    if (types.some(isJson)) {
      const document = this.#document('swagger json', () => Buffer.from(JSON.stringify(swagger())))
      return respond(document, 'application/json', ifNoneMatch, { vary: 'Accept' })
    }
    if (!types.some((type) => swaggerProtobuf.includes(type))) {
      throw notAcceptable(['application/json', ...swaggerProtobuf])
    }
    const document = this.#document('swagger protobuf', () => encodeSwagger(swagger()))
    return respond(document, swaggerProtobuf[0] ?? '', ifNoneMatch, { vary: 'Accept' })
  }

  #openApi(groupVersion: string, query: URLSearchParams, accept: string): ApiResponse | undefined {
    if (!acceptedTypes(accept).some(isJson)) throw notAcceptable(['application/json'])
    if (groupVersion === '') {
      const document = this.#json('openapi', () => this.#openApiIndex())
      return document && respond(document, 'application/json', undefined)
    }
    const document = this.#groupDocument(groupVersion)
    if (!document) return undefined
    const asked = query.get('hash')
    if (asked === null || asked === '') return respond(document, 'application/json', undefined)
    if (asked !== document.hash) {
      return { status: 301, headers: { location: hashedUrl(groupVersion, document.hash) }, body: Buffer.alloc(0) }
    }
    // The address names the content, so it never goes stale.
    return respond(document, 'application/json', undefined, { 'cache-control': 'public, immutable, max-age=31536000' })
  }

  #openApiIndex() {
    const groupVersions = [...new Set(this.#resources.map(groupVersionPath))].sort()
    const entries = groupVersions.flatMap((path) => {
      const document = this.#groupDocument(path)
      return document ? [[path, { serverRelativeURL: hashedUrl(path, document.hash) }] as const] : []
    })
    return { paths: Object.fromEntries(entries) }
  }

  #groupDocument(path: string): Document | undefined {
    return this.#json(`openapi ${path}`, () => {
      const own = this.#resources.filter((resource) => groupVersionPath(resource) === path)
      if (own.length === 0) return undefined
      return {
        openapi: '3.0.0',
        info: { title: this.#title, version: this.#version },
        paths: pathsFor(own, 'v3'),
        components: { schemas: definitionsFor(own, 'v3') },
      }
    })
  }

  #json(key: string, build: () => unknown): Document | undefined {
    if (this.#built.has(key)) return this.#built.get(key)
    const value = build()
    const document = value === undefined ? undefined : asDocument(Buffer.from(JSON.stringify(value)))
    this.#built.set(key, document)
    return document
  }

  #document(key: string, build: () => Buffer): Document {
    const document = this.#built.get(key) ?? asDocument(build())
    this.#built.set(key, document)
    return document
  }
}

interface Document {
  readonly bytes: Buffer
  readonly hash: string
}

const asDocument = (bytes: Buffer): Document => ({
  bytes,
  hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
})

const groupVersionPath = ({ group, version }: ResourceDefinition): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`

const hashedUrl = (path: string, hash: string): string => `/openapi/v3/${path}?hash=${hash}`

/** The new name first; kubectl up to the present asks by the old one. */
const swaggerProtobuf: readonly string[] = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
]

const acceptedTypes = (accept: string): readonly string[] =>
  accept.trim() === '' ? ['*/*'] : accept.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())

const isJson = (type: string): boolean => type === 'application/json' || type === 'application/*' || type === '*/*'

/** The first aggregated version that the client lists before plain JSON. */
export function aggregatedVersion(accept: string): 'v2' | 'v2beta1' | undefined {
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (!isJson(type.toLowerCase())) continue
    if (!parameters.includes('as=APIGroupDiscoveryList')) return undefined
    if (!parameters.includes('g=apidiscovery.k8s.io')) continue
    if (parameters.includes('v=v2')) return 'v2'
    if (parameters.includes('v=v2beta1')) return 'v2beta1'
  }
  return undefined
}

function respond(
  { bytes, hash }: Document,
  contentType: string,
  ifNoneMatch: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  const etag = `"${hash}"`
  const common = { etag, ...headers }
  if (ifNoneMatch === etag) return { status: 304, headers: common, body: Buffer.alloc(0) }
  return { status: 200, headers: { 'content-type': contentType, ...common }, body: bytes }
}
