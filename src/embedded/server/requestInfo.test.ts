import { describe, expect, test } from 'vitest'
import { parseResourceRequest } from './requestInfo.ts'

const parse = (line: string) => {
  const [method = '', url = ''] = line.split(' ')
  const [path = '', query = ''] = url.split('?')
  const info = parseResourceRequest(method, path, new URLSearchParams(query))
  return (
    info && [info.verb, info.group, info.version, info.namespace, info.plural, info.name, info.subresource].join('|')
  )
}

describe('parseResourceRequest', () => {
  test.each([
    ['GET /api/v1/nodes', 'list||v1||nodes||'],
    ['GET /api/v1/nodes?watch=true', 'watch||v1||nodes||'],
    ['GET /api/v1/nodes?watch=1', 'watch||v1||nodes||'],
    ['GET /api/v1/nodes?watch=false', 'list||v1||nodes||'],
    ['GET /api/v1/nodes?watch=T', 'watch||v1||nodes||'],
    ['GET /api/v1/nodes?watch', 'watch||v1||nodes||'],
    ['HEAD /api/v1/nodes?watch=true', 'list||v1||nodes||'],
    ['GET /api/v1/watch/nodes', 'watch||v1||nodes||'],
    ['GET /api/v1/nodes/a', 'get||v1||nodes|a|'],
    ['HEAD /api/v1/nodes/a', 'get||v1||nodes|a|'],
    ['PUT /api/v1/nodes/a/status', 'update||v1||nodes|a|status'],
    ['PATCH /api/v1/nodes/a', 'patch||v1||nodes|a|'],
    ['DELETE /api/v1/nodes', 'deletecollection||v1||nodes||'],
    ['DELETE /api/v1/nodes/a', 'delete||v1||nodes|a|'],
    ['GET /api/v1/namespaces', 'list||v1||namespaces||'],
    ['GET /api/v1/namespaces/x', 'get||v1||namespaces|x|'],
    ['PUT /api/v1/namespaces/x/finalize', 'update||v1||namespaces|x|finalize'],
    ['GET /api/v1/namespaces/x/pods', 'list||v1|x|pods||'],
    ['POST /api/v1/namespaces/x/pods/p/eviction', 'create||v1|x|pods|p|eviction'],
    ['GET /apis/apps/v1/deployments', 'list|apps|v1||deployments||'],
    ['GET /apis/apps/v1/namespaces/x/deployments/d/scale', 'get|apps|v1|x|deployments|d|scale'],
    [
      'GET /apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa',
      'get|rbac.authorization.k8s.io|v1||clusterroles|system:a|',
    ],
  ])('reads %s', (line, expected) => {
    expect(parse(line)).toBe(expected)
  })

  test.each([
    'GET /api',
    'GET /api/v1',
    'GET /apis/apps',
    'GET /apis/apps/v1',
    'GET /version',
    'OPTIONS /api/v1/nodes',
    'GET /api/v1/nodes/%zz',
  ])('sees no resource in %s', (line) => {
    expect(parse(line)).toBeUndefined()
  })
})
