import { type ApiRequest, type ApiResponse, jsonResponse, textResponse } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import { methodNotSupported, noSuchResource } from './statusError.ts'

/** The version that clients see: kubectl warns when its own differs by more than one minor. */
export const serverVersion = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0+mco',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: 'linux/amd64',
}

const health = /^\/(healthz|livez|readyz)(\/[a-z-]+)*$/

/** Paths that name no object: version, health, discovery, OpenAPI. */
export function handlePath(
  context: ServerContext,
  request: ApiRequest,
  path: string,
  query: URLSearchParams,
): ApiResponse {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotSupported()
  if (path === '/version' || path === '/version/') return jsonResponse(200, serverVersion)
  if (health.test(path)) return textResponse(200, 'ok')
  if (path === '/')
    return jsonResponse(200, {
      paths: ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
    })
  const { accept = '', 'if-none-match': ifNoneMatch } = request.headers
  const document = context.documents.answer({ path, query, accept, ...(ifNoneMatch ? { ifNoneMatch } : {}) })
  if (document) return document
  // Below /apis a client expects a Status, elsewhere the plain text of an HTTP server.
  if (/^\/apis?(\/|$)/.test(path)) throw noSuchResource()
  return textResponse(404, '404 page not found\n')
}
