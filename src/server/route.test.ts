import { describe, expect, it } from 'vitest'
import { routeOf } from './route.ts'

describe('routeOf', () => {
  it.each([
    ['GET', '/config/worker', { kind: 'config', pool: 'worker' }],
    ['HEAD', '/config/worker', { kind: 'config', pool: 'worker' }],
    ['GET', '/config/a/b', { kind: 'config', pool: 'b' }],
    ['GET', '/config/', { kind: 'config', pool: 'config' }],
    ['GET', '/config/worker/', { kind: 'config', pool: 'worker' }],
    ['GET', '/config/worker?token=x', { kind: 'config', pool: 'worker' }],
    ['GET', 'http://host:22623/config/worker', { kind: 'config', pool: 'worker' }],
    ['GET', '/config/%77orker', { kind: 'config', pool: 'worker' }],
    ['GET', '/config/..%2fmaster', { kind: 'config', pool: 'master' }],
    ['GET', '/config/%2e%2e/master', { kind: 'config', pool: 'master' }],
    ['GET', '/config', { kind: 'redirect', location: '/config/' }],
    ['GET', '/config?a=b', { kind: 'redirect', location: '/config/?a=b' }],
    ['GET', '/config//worker?a=b', { kind: 'redirect', location: '/config/worker?a=b' }],
    ['GET', '/config/../../../etc/passwd', { kind: 'redirect', location: '/etc/passwd' }],
    ['GET', '/etc/passwd', { kind: 'nothing' }],
    ['GET', '/', { kind: 'nothing' }],
    ['GET', '/healthz', { kind: 'health' }],
    ['GET', '/readyz', { kind: 'ready' }],
    ['POST', '/healthz', { kind: 'badMethod' }],
    ['POST', '/config/worker', { kind: 'badMethod' }],
    ['GET', '*', { kind: 'badRequest' }],
    ['GET', '/config/%zz', { kind: 'badRequest' }],
  ])('%s %s', (method, target, route) => {
    expect(routeOf(method, target)).toEqual(route)
  })

  it('a pool that would be a path is one segment, whatever is encoded in it', () => {
    for (const target of ['/config/a%2fb', '/config/%2f%2fb', '/config/a%5c..%5cb', '/config/%00', '/config/%ff']) {
      const route = routeOf('GET', target)
      if (route.kind === 'config') expect(route.pool).not.toContain('/')
    }
  })
})
