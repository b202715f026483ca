import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configMap, type Harness, node, paths, pod, startHarness } from '../../../test/embedded/apiHarness.ts'
import type { Identity } from './apiRequest.ts'

let api: Harness
beforeEach(async () => {
  api = await startHarness({ tokens: { 'static-token': { name: 'joe', groups: ['team'] } } })
})
afterEach(async () => {
  await api.close()
  expect(api.faults).toEqual([])
})

const { budgets, pods, configMaps, nodes } = paths
const merge = { headers: { 'content-type': 'application/merge-patch+json' } }

describe('eviction', () => {
  const eviction = (name: string, extra: object = {}) => ({
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: 'default' },
    ...extra,
  })
  const evict = (name: string, extra?: object) => api.call('POST', `${pods}/${name}/eviction`, eviction(name, extra))

  async function runningPods(...names: string[]) {
    for (const name of names) {
      await api.call('POST', pods, pod(name, { nodeName: 'n' }, { labels: { app: 'web' } }))
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
      await api.call('PATCH', `${pods}/${name}/status`, { status }, merge)
    }
  }
  async function budgetAllowing(disruptionsAllowed: number) {
    const body = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    }
    await api.call('POST', budgets, body)
    const status = { observedGeneration: 1, disruptionsAllowed, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 }
    await api.call('PATCH', `${budgets}/web/status`, { status }, merge)
  }

  test('marks the pod, says why in its status, and spends one disruption', async () => {
    await runningPods('web-0')
    await budgetAllowing(1)
    const { status, body } = await evict('web-0')
    expect([status, body]).toEqual([
      201,
      { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
    ])
    const evicted = (await api.call('GET', `${pods}/web-0`)).body
    expect(evicted.metadata.deletionGracePeriodSeconds).toBe(30)
    expect(evicted.status.conditions.at(-1)).toMatchObject({
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
    })
    expect((await api.call('GET', `${budgets}/web`)).body.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { 'web-0': '2026-01-01T00:00:00Z' },
    })
  })

  test('of two pods at once never spends one disruption twice', async () => {
    await runningPods('web-0', 'web-1')
    await budgetAllowing(1)
    const answers = await Promise.all([evict('web-0'), evict('web-1')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      reason: 'TooManyRequests',
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods and has 2 currently' },
        ],
      },
    })
  })

  test('changes nothing in a dry run', async () => {
    await runningPods('web-0')
    await budgetAllowing(1)
    expect((await evict('web-0', { deleteOptions: { dryRun: ['All'] } })).status).toBe(201)
    expect((await api.call('GET', `${pods}/web-0`)).body.metadata.deletionTimestamp).toBeUndefined()
    expect((await api.call('GET', `${budgets}/web`)).body.status.disruptionsAllowed).toBe(1)
  })

  test('tells to come back while the budget was not looked at', async () => {
    await runningPods('web-0')
    await budgetAllowing(1)
    await api.call('PATCH', `${budgets}/web`, { spec: { minAvailable: 2 } }, merge)
    const { status, headers, body } = await evict('web-0')
    expect([status, headers['retry-after'], body.details.retryAfterSeconds]).toEqual([429, '10', 10])
  })

  test('of a missing pod is 404, of another name than the URL 400', async () => {
    expect((await evict('ghost')).status).toBe(404)
    await runningPods('web-0')
    expect((await api.call('POST', `${pods}/web-0/eviction`, eviction('other'))).body.message).toBe(
      'name in URL does not match name in Eviction object',
    )
  })
})

describe('binding', () => {
  const bind = (target: string) =>
    api.call('POST', `${pods}/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { kind: 'Node', name: target },
    })

  test('places a pod once', async () => {
    await api.call('POST', pods, pod('p'))
    expect((await bind('n1')).status).toBe(201)
    const placed = (await api.call('GET', `${pods}/p`)).body
    expect([placed.spec.nodeName, placed.status.conditions[0].type]).toEqual(['n1', 'PodScheduled'])
    const again = await bind('n2')
    expect([again.status, again.body.message]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
    ])
  })
})

describe('scale', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'd' } },
      template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  }

  test('reads and writes the replica count alone', async () => {
    await api.call('POST', deployments, deployment)
    const { body: scale } = await api.call('GET', `${deployments}/d/scale`)
    expect(scale).toMatchObject({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'app=d' },
    })
    expect(
      (await api.call('PUT', `${deployments}/d/scale`, { ...scale, spec: { replicas: 5 } })).body.spec.replicas,
    ).toBe(5)
    expect((await api.call('PUT', `${deployments}/d/scale`, { ...scale, spec: { replicas: 6 } })).status).toBe(409)
    expect(
      (await api.call('PATCH', `${deployments}/d/scale`, { spec: { replicas: 3 } }, merge)).body.spec.replicas,
    ).toBe(3)
    expect((await api.call('GET', `${deployments}/d`)).body).toMatchObject({
      spec: { replicas: 3 },
      metadata: { generation: 3 },
    })
  })
})

describe('logs', () => {
  test('say that they do not exist here', async () => {
    await api.call('POST', pods, pod('p'))
    const { status, body } = await api.call('GET', `${pods}/p/log`)
    expect([status, body.reason]).toEqual([501, 'NotImplemented'])
    expect((await api.call('GET', `${pods}/ghost/log`)).status).toBe(404)
  })
})

describe('identities', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const whoAmI = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

  test('come from static tokens', async () => {
    const { body } = await api.call(
      'POST',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      whoAmI,
      bearer('static-token'),
    )
    expect(body.status.userInfo).toEqual({ username: 'joe', groups: ['team', 'system:authenticated'] })
  })

  test('are refused for unknown tokens and other schemes', async () => {
    expect((await api.call('GET', '/version', undefined, bearer('wrong'))).status).toBe(401)
    expect((await api.call('GET', '/version', undefined, { headers: { authorization: 'Basic am9l' } })).status).toBe(
      401,
    )
  })

  test('of service accounts come from tokens that live as long as account and pod', async () => {
    await api.call('POST', nodes, node('n1'))
    await api.call('POST', pods, pod('p', { nodeName: 'n1' }))
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await api.call('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { boundObjectRef: { kind: 'Pod', name: 'p' } },
    }
    const { status, body } = await api.call('POST', `${accounts}/robot/token`, request)
    expect([status, body.status.expirationTimestamp]).toEqual([201, '2026-01-01T01:00:00Z'])
    const ask = () =>
      api.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', whoAmI, bearer(body.status.token))
    expect((await ask()).body.status.userInfo).toMatchObject({
      username: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/node-name': ['n1'], 'authentication.kubernetes.io/pod-name': ['p'] },
    })
    const tampered = body.status.token.replace(/.(?=\.[^.]*$)/, (last: string) => (last === 'A' ? 'B' : 'A'))
    expect((await api.call('GET', '/version', undefined, bearer(tampered))).status).toBe(401)
    await api.clock.advance(3600_000)
    expect((await ask()).status).toBe(401)
  })

  test('of service accounts may do what roles grant them', async () => {
    const robot: Identity = {
      name: 'system:serviceaccount:default:robot',
      groups: ['system:serviceaccounts', 'system:authenticated'],
    }
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const list = (url: string) => api.call('GET', url, undefined, { identity: robot })
    expect((await list(configMaps)).status).toBe(403)
    await api.call('POST', `${rbac}/namespaces/default/roles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
    })
    await api.call('POST', `${rbac}/namespaces/default/rolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    })
    expect([(await list(configMaps)).status, (await list('/api/v1/namespaces/kube-system/configmaps')).status]).toEqual(
      [200, 403],
    )
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'list', resource: 'configmaps', namespace: 'default' } },
    }
    const { body } = await api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review, {
      identity: robot,
    })
    expect(body.status).toEqual({ allowed: true, reason: 'RBAC: allowed: RoleBinding "b" grants Role "r"' })

    const rulesIn = async (namespace: string) => {
      const rules = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace },
      }
      const answer = await api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', rules, {
        identity: robot,
      })
      expect(answer.body.status.incomplete).toBe(false)
      return answer.body.status.resourceRules
    }
    const granted = { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] }
    expect(await rulesIn('default')).toContainEqual(granted)
    expect(await rulesIn('kube-system')).not.toContainEqual(granted)
  })

  test('of administrators lose their rights while they act as somebody else', async () => {
    const asJane = { headers: { 'impersonate-user': 'jane' } }
    const listed = await api.call('GET', configMaps, undefined, asJane)
    expect([listed.status, listed.body.message]).toEqual([
      403,
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
    ])
    const { body } = await api.call('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', whoAmI, asJane)
    expect(body.status.userInfo).toEqual({ username: 'jane', groups: ['system:authenticated'] })
  })

  test('of nodes cannot register as another node, nor take over its pods', async () => {
    const identity: Identity = { name: 'system:node:a', groups: ['system:nodes', 'system:authenticated'] }
    expect((await api.call('POST', nodes, node('a'), { identity })).status).toBe(201)
    const other = await api.call('POST', nodes, node('b'), { identity })
    expect([other.status, other.body.message]).toEqual([
      403,
      'nodes "b" is forbidden: node "a" is not allowed to modify nodes "b"',
    ])
    await api.call('POST', pods, pod('p', { nodeName: 'b' }))
    expect((await api.call('DELETE', `${pods}/p?gracePeriodSeconds=0`, undefined, { identity })).status).toBe(403)
    expect(
      (await api.call('PATCH', `${pods}/p/status`, { status: { phase: 'Failed' } }, { ...merge, identity })).status,
    ).toBe(403)
  })
})

describe('admission', () => {
  test("refuses with the policy's words and passes warnings on", async () => {
    const strict = await startHarness({
      admit: ({ object, operation }) =>
        object?.metadata.name === 'bad'
          ? {
              allowed: false,
              reason: 'Invalid',
              message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
            }
          : { allowed: true, warnings: operation === 'CREATE' ? ['careful'] : [] },
    })
    const refused = await strict.call('POST', configMaps, configMap('bad'))
    expect([refused.status, refused.body.reason, refused.body.message]).toEqual([
      422,
      'Invalid',
      "configmaps \"bad\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
    ])
    const warned = await strict.call('POST', configMaps, configMap('good'))
    expect([warned.status, warned.headers.warning]).toEqual([201, '299 - "careful"'])
    await strict.close()
  })
})

describe('a connection into a pod', () => {
  test.each([
    ['GET', 'log', 'reading the logs of'],
    ['GET', 'exec', 'running a command in'],
    ['POST', 'exec', 'running a command in'],
    ['POST', 'attach', 'attaching to'],
    ['POST', 'portforward', 'forwarding ports to'],
  ])('by %s %s says why it is not possible', async (method, name, what) => {
    await api.call('POST', paths.pods, pod('p', {}))
    const { status, body } = await api.call(method, `${paths.pods}/p/${name}`)
    expect([status, body.reason, body.message]).toEqual([
      501,
      'NotImplemented',
      `${what} pod "p" is not possible: this API server has no connection to kubelets`,
    ])
    expect((await api.call(method, `${paths.pods}/nobody/${name}`)).status).toBe(404)
  })
})
