import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { createAuthority, issueCertificate } from '../../../src/certificates/issueCertificate.ts'
import type { RunningCluster } from '../harness.ts'
import { configMaps, merge, type RawApi } from './rawApi.ts'

/** Who may do what: nobody without a proof, a node only its own, an account what was granted. */
export const access = (api: RawApi, cluster: RunningCluster): Readonly<Record<string, () => Promise<void>>> => ({
  'without a proof one sees the version and nothing else': async () => {
    const as = { pair: 'none' as const }
    assert.equal((await api.call('GET', '/version', undefined, as)).status, 200)
    for (const path of [configMaps, '/api/v1/secrets', '/apis', '/openapi/v2']) {
      const { status, body } = await api.call('GET', path, undefined, as)
      assert.deepEqual([status, body.reason], [403, 'Forbidden'], path)
      assert.match(body.message, /system:anonymous/)
    }
  },
  'wrong and expired proofs are 401': async () => {
    const foreign = await createAuthority('elsewhere', new Date())
    const request = { kind: 'client' as const, commonName: 'kubernetes-admin', organizations: ['system:masters'] }
    const pairs = [
      await issueCertificate(foreign, request, new Date()),
      await api.certificateOf('kubernetes-admin', ['system:masters'], new Date('2001-01-01')),
    ]
    for (const pair of pairs) assert.equal((await api.call('GET', '/version', undefined, { pair })).status, 401)
    for (const authorization of ['Bearer wrong', 'Bearer ', 'Basic YTpi', 'Bearer a.b.c']) {
      const answer = await api.call('GET', configMaps, undefined, { pair: 'none', headers: { authorization } })
      assert.equal(answer.status, 401, authorization)
    }
  },
  'a node writes what is its own and lists no secrets': async () => {
    const [mine, other] = (await api.ok('GET', '/api/v1/nodes')).items.map(
      (node: { metadata: { name: string } }) => node.metadata.name,
    )
    const pair = await api.certificateOf(`system:node:${mine}`, ['system:nodes'])
    const status = async (method: string, path: string, body?: unknown) =>
      (await api.call(method, path, body, { pair, ...(method === 'PATCH' ? merge : {}) })).status
    const mark = { metadata: { annotations: { 'proof/mark': '1' } } }
    const machineConfigNodes = '/apis/machineconfiguration.openshift.io/v1/machineconfignodes'
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
    assert.equal(await status('PATCH', `/api/v1/nodes/${mine}`, mark), 200)
    assert.equal(await status('PATCH', `${machineConfigNodes}/${mine}`, mark), 200)
    for (const path of [`/api/v1/nodes/${other}`, `${machineConfigNodes}/${other}`, `${leases}/${other}`]) {
      assert.equal(await status('PATCH', path, mark), 403, path)
      assert.equal(await status('DELETE', path), 403, path)
    }
    assert.equal(await status('POST', '/api/v1/nodes', { metadata: { name: 'invented' } }), 403)
    assert.equal(await status('GET', '/api/v1/secrets'), 403)
    assert.equal(await status('GET', '/api/v1/namespaces/kube-system/secrets?watch=1'), 403)
    assert.equal(
      await status('PATCH', '/apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker', mark),
      403,
    )
    assert.equal(await status('DELETE', '/api/v1/nodes'), 403)
  },
  'a service account has what was granted, until it is gone': async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await api.ok('POST', accounts, { metadata: { name: 'reader' } })
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const { token } = (await api.ok('POST', `${accounts}/reader/token`, request)).status
    const as = { pair: 'none' as const, headers: { authorization: `Bearer ${token}` } }
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default'
    const status = async (path: string) => (await api.call('GET', path, undefined, as)).status
    assert.equal(await status(configMaps), 403)
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }]
    await api.ok('POST', `${rbac}/roles`, { metadata: { name: 'reader' }, rules })
    await api.ok('POST', `${rbac}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
    })
    assert.equal(await status(configMaps), 200)
    assert.equal(await status('/api/v1/namespaces/kube-system/configmaps'), 403)
    assert.equal(await status('/api/v1/namespaces/default/secrets'), 403)
    const tampered = { ...as, headers: { authorization: `Bearer ${token.slice(0, -4)}AAAA` } }
    assert.equal((await api.call('GET', configMaps, undefined, tampered)).status, 401)
    await api.ok('DELETE', `${accounts}/reader`)
    assert.equal(await status(configMaps), 401)
  },
  'keys and kubeconfig are for their owner only': async () => {
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    assert.equal(await modeOf(cluster.kubeconfig), 0o600)
    for (const key of ['ca.key', 'server.key', 'admin.key', 'service-account.key']) {
      assert.equal(await modeOf(`${cluster.dataDir}/pki/${key}`), 0o600)
    }
  },
})
