import { describe, expect, it } from 'vitest'
import { ConfigMap, Node, Secret, Service } from '../api/core.ts'
import { scopeOfKind } from './clusterSource.ts'

describe('scopeOfKind', () => {
  it('asks for no Secret but the tokens, where they are', () => {
    expect(scopeOfKind(Secret, { tokenNamespace: 'tokens', onlyTokens: true })).toEqual({
      namespace: 'tokens',
      fieldSelector: 'type=machineconfig.io/join-token',
    })
    expect(scopeOfKind(Secret, { tokenNamespace: 'operator', onlyTokens: false })).toEqual({ namespace: 'operator' })
  })

  it('does not move the other kinds with the tokens', () => {
    const of = { tokenNamespace: 'tokens', onlyTokens: true }
    expect([ConfigMap, Service, Node].map((kind) => scopeOfKind(kind, of)?.namespace)).toEqual([
      'openshift-machine-config-operator',
      'openshift-image-registry',
      undefined,
    ])
  })
})
