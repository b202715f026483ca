import { describe, expect, test } from 'vitest'
import { administrator, anonymous, type Identity } from './apiRequest.ts'
import { type Attributes, authorizer, requireAuthorized } from './authorize.ts'

const authorize = authorizer(() => ({ allowed: false, reason: '' }))
const node: Identity = { name: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] }
const user: Identity = { name: 'joe', groups: ['system:authenticated'] }

const path = (text: string): Attributes => ({ kind: 'path', verb: 'get', path: text })
/** `VERB GROUP/PLURAL[/SUBRESOURCE] [NAMESPACE/]NAME`; core is the empty group. */
function resource(line: string): Attributes {
  const [verb = '', what = '', where = ''] = line.split(' ')
  const [group = '', plural = '', subresource = ''] = what.split('/')
  const [namespace = '', name = ''] = where.includes('/') ? where.split('/') : ['', where]
  return { kind: 'resource', verb, group: group === 'core' ? '' : group, plural, subresource, namespace, name }
}

const who = { administrator, anonymous, node, user }

describe('authorizer', () => {
  test.each<[keyof typeof who, string, boolean]>([
    ['administrator', 'delete core/namespaces x', true],
    ['anonymous', 'list core/nodes', false],
    ['user', 'list core/nodes', false],
    ['user', 'create authorization.k8s.io/selfsubjectaccessreviews', true],
    ['anonymous', 'create authorization.k8s.io/selfsubjectaccessreviews', false],
    ['user', 'create authorization.k8s.io/subjectaccessreviews', false],
    ['node', 'list core/pods', true],
    ['node', 'watch machineconfiguration.openshift.io/machineconfigs', true],
    ['node', 'get core/secrets ns/s', true],
    ['node', 'list core/secrets', false],
    ['node', 'patch core/nodes a', true],
    ['node', 'patch core/nodes b', false],
    ['node', 'patch core/nodes/status a', true],
    ['node', 'delete core/nodes b', false],
    ['node', 'patch machineconfiguration.openshift.io/machineconfignodes/status a', true],
    ['node', 'patch machineconfiguration.openshift.io/machineconfignodes b', false],
    ['node', 'update coordination.k8s.io/leases kube-node-lease/a', true],
    ['node', 'update coordination.k8s.io/leases kube-node-lease/b', false],
    ['node', 'update coordination.k8s.io/leases default/a', false],
    ['node', 'patch core/pods/status ns/p', true],
    ['node', 'create core/pods/eviction ns/p', false],
    ['node', 'patch core/pods ns/p', false],
    ['node', 'create core/events ns/', true],
    ['node', 'update machineconfiguration.openshift.io/machineconfigpools worker', false],
  ])('%s may %s: %s', (name, line, allowed) => {
    expect(authorize(who[name], resource(line)).allowed).toBe(allowed)
  })

  test.each<[keyof typeof who, string, boolean]>([
    ['anonymous', '/healthz', true],
    ['anonymous', '/readyz/ping', true],
    ['anonymous', '/version', true],
    ['anonymous', '/api', false],
    ['user', '/apis/apps/v1', true],
    ['user', '/openapi/v3', true],
    ['user', '/metrics', false],
  ])('%s may read %s: %s', (name, text, allowed) => {
    expect(authorize(who[name], path(text)).allowed).toBe(allowed)
  })
})

describe('requireAuthorized', () => {
  test.each<[Attributes, string]>([
    [
      resource('list core/pods default/'),
      'pods is forbidden: User "joe" cannot list resource "pods" in API group "" in the namespace "default"',
    ],
    [
      resource('get core/nodes a'),
      'nodes "a" is forbidden: User "joe" cannot get resource "nodes" in API group "" at the cluster scope',
    ],
    [
      resource('update apps/deployments/scale ns/d'),
      'deployments.apps "d" is forbidden: User "joe" cannot update resource "deployments/scale" in API group "apps" in the namespace "ns"',
    ],
    [path('/metrics'), 'forbidden: User "joe" cannot get path "/metrics"'],
  ])('words a refusal as the API server does', (attributes, message) => {
    expect(() => requireAuthorized(authorize, user, attributes)).toThrow(message)
  })
})
