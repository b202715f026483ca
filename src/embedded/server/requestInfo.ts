import type { Verb } from './resource.ts'

/** What a request line asks for, before anyone knows whether the resource exists. */
export interface ResourceRequest {
  readonly verb: Verb
  readonly group: string
  readonly version: string
  readonly plural: string
  /** Empty: cluster-scoped, or a collection over all namespaces. */
  readonly namespace: string
  /** Empty: the collection. */
  readonly name: string
  /** Empty, or `status`, `eviction`, ... */
  readonly subresource: string
}

const subresourcesOfNamespaces = new Set(['status', 'finalize'])

/**
 * Reads `/api/v1/...` and `/apis/GROUP/VERSION/...`; undefined when the path is not below one of them or names no
 * resource (API concepts, "Resource URIs"; the old `/watch/` prefix is still understood).
 */
export function parseResourceRequest(
  method: string,
  path: string,
  query: URLSearchParams,
): ResourceRequest | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const decoded = segments.map(decodeSegment)
  if (decoded.some((segment) => segment === undefined)) return undefined
  const [root, ...rest] = decoded as string[]
  const [group, version, ...below] = root === 'api' ? ['', ...rest] : root === 'apis' ? rest : []
  if (group === undefined || version === undefined || below.length === 0) return undefined

  const legacyWatch = below[0] === 'watch' && below.length > 1
  const location = locate(legacyWatch ? below.slice(1) : below)
  // The answer to HEAD ends with its headers, which a watch has no end of.
  const wantsWatch = method === 'GET' && (legacyWatch || isTrue(query.get('watch')))
  const verb = verbOf(method, location.name !== '', wantsWatch)
  return verb && { verb, group, version, ...location }
}

function locate(segments: readonly string[]): Pick<ResourceRequest, 'plural' | 'namespace' | 'name' | 'subresource'> {
  const [first = '', second = '', third = '', ...more] = segments
  if (first === 'namespaces' && third !== '' && !subresourcesOfNamespaces.has(third)) {
    return { namespace: second, plural: third, name: more[0] ?? '', subresource: more.slice(1).join('/') }
  }
  return { namespace: '', plural: first, name: second, subresource: [third, ...more].filter(Boolean).join('/') }
}

function verbOf(method: string, named: boolean, wantsWatch: boolean): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      return wantsWatch ? 'watch' : named ? 'get' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return named ? 'delete' : 'deletecollection'
    default:
      return undefined
  }
}

/** A parameter that is there is true, also without a value, unless it says otherwise (as the API server converts it). */
export function isTrue(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && !/^(false|0)$/i.test(value)
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    // A malformed escape names nothing; any other failure is not ours to hide.
    if (error instanceof URIError) return undefined
    throw error
  }
}
